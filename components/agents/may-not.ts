import type { Someone } from "@/lib/identity/queries";
import { allOf, eitherOf } from "@/lib/browser/lists";

const SHOWN = 4;

/** Who may then not approve what a key's agent proposes, and who is left: said before the key exists. */
export function mayNotWords(persons: readonly string[], people: readonly Someone[], viewer: string): { mayNot: string; left: string } {
  const barred = people.filter(({ personId }) => persons.includes(personId));
  const others = barred.filter(({ personId }) => personId !== viewer).map(({ name }) => name);
  const names = persons.includes(viewer) ? [...others, "you"] : others;
  const sentence = `${allOf(names)} may then not approve what it proposes.`;
  const left = people.filter(({ personId, decides }) => decides && !persons.includes(personId)).map(({ name }) => name);
  return {
    mayNot: sentence.charAt(0).toUpperCase() + sentence.slice(1),
    left: left.length > 0 ? `${eitherOf(left.length > SHOWN ? [...left.slice(0, SHOWN - 1), `${left.length - SHOWN + 1} others`] : left)} can.` : "Nobody is left who can: add a member who decides.",
  };
}
