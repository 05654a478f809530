import { route } from "@/lib/edge/route";
import { Refusal } from "@/lib/kernel/refusal";

const nowhere = route(() => Promise.reject(new Refusal("not_found")));

export { nowhere as DELETE, nowhere as GET, nowhere as PATCH, nowhere as POST, nowhere as PUT };
