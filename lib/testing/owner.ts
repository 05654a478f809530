import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "../database/generated/client";

let owner: PrismaClient | undefined;

/** Opens a database by its owner's login, whom row-level security does not bind. */
export function openOwner(ownerUrl: string): void {
  owner = new PrismaClient({ adapter: new PrismaPg({ connectionString: ownerUrl, max: 4 }) });
}

/** The database by its owner's login: for looking at what happened, and for making it happen. */
export function everyMerchant(): PrismaClient {
  if (!owner) throw new Error("call testDatabase() first");
  return owner;
}

export async function closeOwner(): Promise<void> {
  await owner?.$disconnect();
  owner = undefined;
}
