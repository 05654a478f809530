import { exportBundle } from "@/lib/changes/bundle";
import { otherMethods, readRoute } from "@/lib/edge/route";
import { streamOf } from "@/lib/edge/stream";

export const GET = readRoute<{ merchant: string }>(async (ctx, { params }) => {
  const lines = await exportBundle(ctx, params.merchant);
  return new Response(streamOf(lines), {
    headers: {
      "content-type": "application/x-ndjson", "cache-control": "no-store",
      "content-disposition": `attachment; filename="${params.merchant}.undersigned.ndjson"`,
    },
  });
});

const other = otherMethods("GET, HEAD");

export { other as DELETE, other as PATCH, other as POST, other as PUT };
