/** Alive: this process answers. It asks nobody; `/api/health` asks the database too. */
export const GET = (): Response => new Response(null, { status: 204 });
