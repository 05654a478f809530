import { exportBundle } from "@/lib/changes/bundle";
import { otherMethods, readRoute } from "@/lib/edge/route";

export const GET = readRoute<{ merchant: string }>(async (ctx, { params }) => {
  const lines = await exportBundle(ctx, params.merchant);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "application/x-ndjson", "cache-control": "no-store",
      "content-disposition": `attachment; filename="${params.merchant}.undersigned.ndjson"`,
    },
  });
});

const other = otherMethods("GET, HEAD");

export { other as DELETE, other as PATCH, other as POST, other as PUT };
