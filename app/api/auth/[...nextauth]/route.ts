import { authHandler } from "@/lib/identity/auth";

export { authHandler as GET, authHandler as POST };
