import type { ChangeView, Signature } from "@/lib/changes/view";
import { OpenCross } from "@/components/marks/mark";
import { ParaphStroke } from "@/components/marks/paraph-stroke";
import { RecentTime } from "@/components/ui/time";

type Props = { change: ChangeView; /** The viewer's signature that has just been answered. */ fresh: Signature | null; /** The viewer may sign, or is signing. */ mine: boolean };

/** A ruled line for each approval that is needed. Ink only where an entry exists. */
export function Signatures({ change, fresh, mine }: Props) {
  const signed = fresh && !change.signatures.some(({ leafHash }) => leafHash === fresh.leafHash) ? [...change.signatures, fresh] : change.signatures;
  const open = Math.max(0, change.required - signed.length);
  return (
    <ul className="grid grid-cols-[repeat(2,minmax(0,15rem))] gap-6 phone:gap-4">
      {signed.map((signature) => <Signed key={signature.leafHash} signature={signature} fresh={signature.leafHash === fresh?.leafHash} />)}
      {Array.from({ length: open }, (_, index) => (
        <Unsigned key={index} name={mine && index === 0 ? change.viewer.name : null} place={placeWords(signed.length + index + 1, change.required)} />
      ))}
    </ul>
  );
}

const ORDINALS = ["", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];

const placeWords = (place: number, required: number): string => (required > 1 ? `${ORDINALS[place] ?? place} of ${required}` : "");

function Signed({ signature, fresh }: { signature: Signature; fresh: boolean }) {
  return (
    <li>
      <div className="relative h-8 border-b-[1.5px] border-ink phone:h-[1.875rem]">
        <ParaphStroke leafHash={signature.leafHash} fresh={fresh} className="absolute -bottom-1.5 left-4 h-9 w-32 stroke-[1.4] phone:left-2 phone:h-[29px] phone:w-[104px]" />
      </div>
      <p className="mt-[3px] flex justify-between gap-2 text-xs whitespace-nowrap">
        <span className="truncate font-semibold">{signature.name}</span>
        <span className="text-ink-3">{signature.mine && <span className="phone:hidden">you, </span>}<RecentTime at={signature.at} className="phone:hidden" /><RecentTime at={signature.at} today="minute" className="hidden phone:inline" /></span>
      </p>
    </li>
  );
}

function Unsigned({ name, place }: { name: string | null; place: string }) {
  return (
    <li>
      <div className="relative h-8 border-b-[1.5px] border-ink phone:h-[1.875rem]">
        {name && <span className="absolute bottom-[3px] left-0"><OpenCross /></span>}
      </div>
      <p className="mt-[3px] flex justify-between gap-2 text-xs whitespace-nowrap">
        {name ? <b className="truncate font-semibold"><span className="phone:hidden">{name}</span><span className="hidden phone:inline">You</span></b> : <span className="text-ink-3">someone else</span>}
        <span className="text-ink-3">{name && <span className="phone:hidden">{place ? "you, " : "you"}</span>}{place}</span>
      </p>
    </li>
  );
}
