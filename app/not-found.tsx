import Link from "next/link";
import { Empty } from "@/components/ui/empty";

export default function NotFound() {
  return (
    <main className="min-h-dvh bg-sheet">
      <Empty fact="There is no such page">
        <Link href="/changes" className="link">To the changes</Link>
      </Empty>
    </main>
  );
}
