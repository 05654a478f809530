import { notFound } from "next/navigation";
import { Refusal } from "@/lib/kernel/refusal";

/** What is not there, and what belongs to another merchant, is the same page. */
export async function orNotFound<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Refusal && error.code === "not_found") notFound();
    throw error;
  }
}
