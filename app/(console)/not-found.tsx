import Link from "next/link";
import { Empty } from "@/components/ui/empty";

export default function NotFound() {
  return (
    <main id="content" className="min-h-[calc(100dvh-var(--u-bar))] bg-sheet">
      <h1 className="sr-only">Not found</h1>
      <Empty fact="There is no such thing here.">
        The address may be incomplete, or what it names may belong to another merchant. <Link href="/changes" className="link">To the changes</Link>
      </Empty>
    </main>
  );
}
