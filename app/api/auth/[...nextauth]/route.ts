import { tellFault } from "@/lib/edge/fault";
import { currentRequestId } from "@/lib/edge/request-notes";
import { authHandler } from "@/lib/identity/auth";

const handler = authHandler((error) => void tellFault(error, currentRequestId()));
export { handler as GET, handler as POST };
