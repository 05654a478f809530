import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "../database/generated/client";

let owner: PrismaClient | undefined;

/** The database by its owner's login (`DATABASE_OWNER_URL`), whom row-level security does not bind: for looking at what happened, and for making it happen. */
export function everyMerchant(): PrismaClient {
  const connectionString = process.env.DATABASE_OWNER_URL;
  if (!connectionString) throw new Error("DATABASE_OWNER_URL is not set: call testDatabase() first");
  return (owner ??= new PrismaClient({ adapter: new PrismaPg({ connectionString, max: 4 }) }));
}

export async function closeOwner(): Promise<void> {
  await owner?.$disconnect();
  owner = undefined;
}
