import type { ChangeView } from "@/lib/changes/view";
import { Block } from "@/components/ui/block";

/** Each figure that moved, as it was when the change was proposed and as it is. The last part of the sheet, so that nothing moves when it comes. */
export function SinceProposed({ change }: { change: ChangeView }) {
  if (change.sinceProposed.length === 0) return null;
  return (
    <Block id="since" title="Moved since it was proposed">
      <table className="w-full border-collapse">
        <thead className="text-xs text-ink-2">
          <tr>
            <th scope="col" className="py-1 pr-2">Figure</th>
            <th scope="col" className="num py-1 pl-3">When proposed</th>
            <th scope="col" className="num py-1 pl-3">Now</th>
          </tr>
        </thead>
        <tbody>
          {change.sinceProposed.map(({ label, was, now }) => (
            <tr key={label} className="border-t border-rule">
              <th scope="row" className="py-[3px] pr-2">{label}</th>
              <td className="num py-[3px] pl-3 text-ink-2">{was}</td>
              <td className="num py-[3px] pl-3 font-medium text-mark">{now}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Block>
  );
}
