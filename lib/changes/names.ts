import { tenant } from "../database/client";

/** The names of these persons and agents of a merchant, by id; other ids are passed over. */
export async function readNames(merchantId: string, ids: Iterable<string>): Promise<Map<string, string>> {
  const all = [...new Set(ids)];
  const of = (prefix: string) => all.filter((id) => id.startsWith(prefix));
  const [persons, agents] = await Promise.all([
    tenant(merchantId).person.findMany({ where: { id: { in: of("per-") }, members: { some: { merchantId } } }, select: { id: true, name: true } }),
    tenant(merchantId).agent.findMany({ where: { merchantId, id: { in: of("agt-") } }, select: { id: true, name: true } }),
  ]);
  return new Map([...persons, ...agents].map(({ id, name }) => [id, name]));
}
