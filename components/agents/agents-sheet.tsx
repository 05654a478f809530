"use client";

import type { AgentsView, AgentView, KeyState, KeyView } from "@/lib/identity/queries";
import { Badge, type Tone } from "@/components/ui/badge";
import { Block } from "@/components/ui/block";
import { Empty } from "@/components/ui/empty";
import type { GlyphName } from "@/components/ui/glyph";
import { Time } from "@/components/ui/time";
import type { AgentActions } from "./actions";
import { CreateAgent, CreateKey, KeyDeeds } from "./agent-deeds";
import { scopeWords } from "./scopes";

/** The programs that may propose, and the keys by which they do. */
export function AgentsSheet({ view, actions }: { view: AgentsView; actions: AgentActions }) {
  const { agents, mayGovern } = view;
  return (
    <main id="content" className="min-h-[calc(100dvh-var(--u-bar))] bg-sheet px-6 pt-4 pb-8 one:px-4">
      <header className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h1 className="text-xl font-semibold tracking-[-0.01em]">Agents</h1>
          <p className="text-ink-2">They propose, people decide.{!mayGovern && " Only an admin changes agents and keys."}</p>
        </div>
        {mayGovern && <CreateAgent create={actions.create} />}
      </header>
      {agents.length === 0 && <Empty fact="No agents yet.">{mayGovern ? "Create one, make it a key, and give the key to your program." : "They appear here when an admin creates one."}</Empty>}
      {agents.map((agent) => <AgentBlock key={agent.id} agent={agent} view={view} actions={actions} />)}
    </main>
  );
}

function AgentBlock({ agent, view, actions }: { agent: AgentView; view: AgentsView; actions: AgentActions }) {
  const { id, name, createdAt, keys } = agent;
  return (
    <div className="mt-5">
      <Block title={name} note={<span className="mono text-ink-3 phone:hidden">{id}</span>} aside={<>created <Time at={createdAt} as="date" /></>}>
        {keys.length === 0 && <p className="mt-1.5 text-ink-2">It has no key, so it can propose nothing.</p>}
        {keys.length > 0 && <Keys agent={agent} view={view} actions={actions} />}
        {view.mayGovern && <p className="mt-2"><CreateKey makeKey={actions.makeKey} view={view} agent={agent} /></p>}
      </Block>
    </div>
  );
}

function Keys({ agent, view, actions }: { agent: AgentView; view: AgentsView; actions: AgentActions }) {
  return (
    <table className="two-line w-full border-collapse">
      <thead className="text-xs text-ink-2">
        <tr>
          <th scope="col" className="py-1.5 pr-3">Key</th>
          <th scope="col" className="py-1.5 pr-3">State</th>
          <th scope="col" className="py-1.5 pr-3">It may</th>
          <th scope="col" className="py-1.5 pr-3">Owner</th>
          <th scope="col" className="py-1.5 pr-3">Made by</th>
          <th scope="col" className="py-1.5 pr-3">Expires</th>
          {view.mayGovern && <th scope="col" className="py-1.5"><span className="sr-only">Change</span></th>}
        </tr>
      </thead>
      <tbody>
        {agent.keys.map((key) => (
          <tr key={key.id} className="h-[var(--u-row)] border-t border-rule hover:bg-band phone:h-auto">
            <th scope="row" className="mono pr-3 whitespace-nowrap text-ink-2">{key.id}</th>
            <td className="pr-3 *:align-middle phone:text-right"><KeyBadge state={key.state} /></td>
            <td className="pr-3 phone:col-span-2 phone:pt-0.5">{scopeWords(key.scopes)}</td>
            <td className="pr-3 phone:text-xs phone:text-ink-2"><Labelled word="owned by">{key.owner}</Labelled></td>
            <td className="pr-3 phone:text-right phone:text-xs phone:text-ink-2"><Labelled word="made by">{key.madeBy}</Labelled></td>
            <td className="pr-3 whitespace-nowrap text-ink-2 phone:text-xs"><Labelled word={key.state === "expired" ? "expired" : "until"}><Time at={key.expiresAt} as="date" /></Labelled></td>
            {view.mayGovern && <td className="text-right phone:self-end">{key.state !== "revoked" && <KeyDeeds {...actions} view={view} agent={agent} apiKey={key} />}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** On a phone there is no head that says what a cell is. */
const Labelled = ({ word, children }: { word: string; children: React.ReactNode }) => <><span className="hidden phone:inline">{word} </span>{children}</>;

const SHOWN: Record<KeyState, { word: string; glyph: GlyphName; tone: Tone }> = {
  working: { word: "Works", glyph: "tick", tone: "applied" },
  expired: { word: "Expired", glyph: "expired", tone: "expired" },
  revoked: { word: "Revoked", glyph: "rejected", tone: "rejected" },
};

function KeyBadge({ state }: Pick<KeyView, "state">) {
  const { word, glyph, tone } = SHOWN[state];
  return <Badge glyph={glyph} tone={tone}>{word}</Badge>;
}
