"use client";

import type { LinkView, MembersView, MemberView } from "@/lib/identity/queries";
import { Block } from "@/components/ui/block";
import { Time } from "@/components/ui/time";
import type { MemberActions } from "./actions";
import { AddMember, MemberDeeds } from "./member-deeds";
import { roleWord } from "./roles";

/** Who may sign in to this merchant, and as what. */
export function MembersSheet({ view, merchant, actions }: { view: MembersView; merchant: string; actions: MemberActions }) {
  const { members, mayGovern } = view;
  return (
    <main id="content" className="min-h-[calc(100dvh-var(--u-bar))] bg-sheet px-6 pt-4 pb-8 one:px-4">
      <header className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h1 className="text-xl font-semibold tracking-[-0.01em]">Settings</h1>
          <p className="text-ink-2">{merchant}</p>
        </div>
        {mayGovern && <AddMember invite={actions.invite} />}
      </header>
      <div className="mt-5">
        <Block title="Members" aside={mayGovern ? `${members.length} ${members.length === 1 ? "member" : "members"}` : "only an admin changes them"}>
          <table className="two-line w-full border-collapse">
            <thead className="text-xs text-ink-2">
              <tr>
                <th scope="col" className="py-1.5 pr-3">Name</th>
                <th scope="col" className="py-1.5 pr-3">E-mail</th>
                <th scope="col" className="py-1.5 pr-3">Role</th>
                <th scope="col" className="py-1.5 pr-3">Since</th>
                <th scope="col" className="py-1.5 pr-3">One-time link</th>
                {mayGovern && <th scope="col" className="py-1.5 text-right"><span className="sr-only">Change</span></th>}
              </tr>
            </thead>
            <tbody>{members.map((member) => <MemberRow key={member.id} member={member} actions={mayGovern ? actions : null} />)}</tbody>
          </table>
        </Block>
      </div>
    </main>
  );
}

/** Who had the link in hand, and whether it was used. */
function LinkNote({ link: { by, madeAt, usedAt } }: { link: LinkView }) {
  return <>made by {by}, <Time at={madeAt} as="date" />{usedAt ? <>; used <Time at={usedAt} as="date" /></> : "; not used"}</>;
}

function MemberRow({ member, actions }: { member: MemberView; actions: MemberActions | null }) {
  const { name, email, role, since, entered, mine, link } = member;
  return (
    <tr className="h-[var(--u-row)] border-t border-rule hover:bg-band phone:h-auto">
      <th scope="row" className="pr-3 font-medium">{name}{mine && <span className="font-normal text-ink-2">, you</span>}{!entered && <span className="font-normal text-second">, has not signed in yet</span>}</th>
      <td className="pr-3 [overflow-wrap:anywhere] phone:order-1 phone:text-xs phone:text-ink-2">{email}</td>
      <td className="pr-3 phone:text-right">{roleWord(role)}</td>
      <td className="pr-3 whitespace-nowrap text-ink-2 phone:order-2 phone:text-right phone:text-xs"><Time at={since} as="date" /></td>
      <td className="pr-3 text-xs text-ink-2 phone:order-2 phone:col-span-2">{link && <LinkNote link={link} />}</td>
      {actions && <td className="text-right phone:order-3 phone:col-span-2 phone:pt-1"><MemberDeeds member={member} actions={actions} /></td>}
    </tr>
  );
}
