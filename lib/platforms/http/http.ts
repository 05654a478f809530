import { z } from "zod";
import { keyOf, referenceOf, Unclear, type Platform } from "../platform";

const PATIENCE_MS = 5_000;

const Minor = z.string().regex(/^\d{1,18}$/);
const Refund = z.object({ id: z.string().min(1).max(200) });
const Payment = z.object({ capturedMinor: Minor, refundedMinor: Minor, disputedMinor: Minor });
const Refused = z.object({ code: z.string().regex(/^[a-z][a-z0-9_]{0,59}$/) });

export type HttpAccount = { url: string; secret: string };

/** A shop that refunds over HTTP (docs/platforms.md): `POST /refunds` under an Idempotency-Key, `GET /refunds?reference=`, `GET /payments/{id}`. */
export function httpPlatform({ url, secret }: HttpAccount): Platform {
  const ask = async (method: string, path: string, headers: Record<string, string> = {}, body?: object): Promise<{ status: number; json: unknown }> => {
    try {
      const answer = await fetch(`${url}${path}`, {
        method, signal: AbortSignal.timeout(PATIENCE_MS), redirect: "error",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json", ...headers }, ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, json: await answer.json() };
    } catch (error) {
      throw new Unclear(`${method} ${path.split("?")[0]}: ${error instanceof Error ? error.message : "no answer"}`);
    }
  };
  const unclear = (status: number): never => { throw new Unclear(`answered ${status}`); };
  return {
    name: "http",
    capabilities: { transactional: false },

    async readPayment(_db, { id }) {
      const { status, json } = await ask("GET", `/payments/${encodeURIComponent(id)}`);
      if (status === 404) return null;
      const parsed = Payment.safeParse(json);
      if (status !== 200 || !parsed.success) return unclear(status);
      const { capturedMinor, refundedMinor, disputedMinor } = parsed.data;
      return { capturedMinor: BigInt(capturedMinor), refundedMinor: BigInt(refundedMinor), disputedMinor: BigInt(disputedMinor) };
    },

    async write(_db, write) {
      const { orderNumber, paymentId, target, field, quantity, restock, currency, amountMinor } = write;
      const { status, json } = await ask("POST", "/refunds", { "idempotency-key": keyOf(write) }, {
        reference: referenceOf(write), order: orderNumber, payment: paymentId, target, field, quantity, restock, currency, amountMinor: String(amountMinor),
      });
      const refund = Refund.safeParse(json);
      if ((status === 200 || status === 201) && refund.success) return { outcome: "done", reference: refund.data.id };
      // Only a definite "no" is one: 409 and 429 say that another call may have done it, or may yet.
      const refused = Refused.safeParse(json);
      return [400, 402, 403, 404, 422].includes(status) && refused.success ? { outcome: "refused", cause: refused.data.code } : unclear(status);
    },

    async lookUp(_db, write) {
      const { status, json } = await ask("GET", `/refunds?reference=${encodeURIComponent(referenceOf(write))}`);
      if (status === 404) return null;
      const refund = Refund.safeParse(json);
      return status === 200 && refund.success ? { reference: refund.data.id } : unclear(status);
    },
  };
}
