import { z } from "zod";

export const SHORTEST_PASSWORD = 12;

export const PasswordInput = z
  .strictObject({ token: z.string().max(100), password: z.string().min(SHORTEST_PASSWORD, `At least ${SHORTEST_PASSWORD} characters`).max(1024, "At most 1,024 characters"), again: z.string() })
  .refine(({ password, again }) => password === again, { path: ["again"], error: "The two are not the same" });
