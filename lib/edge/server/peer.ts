import { BlockList, isIP } from "node:net";
import type { IncomingHttpHeaders } from "node:http";

/** What is known of a request's origin: who asks, under which host and scheme. */
export type Peer = { address: string; host: string; proto: "http" | "https" };

/** The proxies of `UNDERSIGNED_TRUSTED_PROXIES`: addresses and networks (CIDR), by commas. Throws one sentence where it names none. */
export function trustedProxies(list: string): BlockList {
  const proxies = new BlockList();
  for (const entry of list.split(",").map((part) => part.trim()).filter(Boolean)) {
    const [address = "", bits, more] = entry.split("/");
    const version = isIP(address);
    const most = version === 6 ? 128 : 32;
    const prefix = bits === undefined ? most : Number(bits);
    if (!version || more !== undefined || bits === "" || !Number.isInteger(prefix) || prefix < 0 || prefix > most) {
      throw new Error(`UNDERSIGNED_TRUSTED_PROXIES has "${entry}", which is no address and no network such as 10.0.0.0/8.`);
    }
    proxies.addSubnet(address, prefix, version === 6 ? "ipv6" : "ipv4");
  }
  return proxies;
}

/**
 * The peer behind a connection. Only a trusted proxy is believed about whom it forwards for: the last address in
 * X-Forwarded-For (else Forwarded, RFC 7239) that is not itself such a proxy. Everybody else is who they are.
 */
export function peerOf(headers: IncomingHttpHeaders, remoteAddress: string, proxies: BlockList): Peer {
  const peer = plain(remoteAddress);
  const direct: Peer = { address: peer, host: headers.host ?? "", proto: "http" };
  if (!trusted(proxies, peer)) return direct;
  const forwarded = headers["x-forwarded-for"] === undefined ? elements(headers.forwarded ?? "") : listed(headers["x-forwarded-for"]).map((address) => ({ for: address }));
  const chain = forwarded.map((element: Element) => plain(element.for ?? ""));
  let client = peer;
  for (const address of chain.toReversed()) {
    if (!trusted(proxies, client) || !isIP(address)) break;
    client = address;
  }
  const last: Element = forwarded.at(-1) ?? {};
  const proto = listed(headers["x-forwarded-proto"]).at(-1) ?? last.proto;
  return { address: client, host: listed(headers["x-forwarded-host"]).at(-1) ?? last.host ?? direct.host, proto: proto === "https" ? "https" : "http" };
}

type Element = { for?: string; host?: string; proto?: string };

const elements = (header: string): Element[] =>
  header.split(",").map((element) => Object.fromEntries(element.split(";").map((pair) => pair.split("=", 2).map((part) => part.trim().replace(/^"(.*)"$/, "$1"))).map(([name = "", value = ""]) => [name.toLowerCase(), value])));

const listed = (header: string | string[] | undefined): string[] => (header === undefined ? [] : String(header).split(",").map((part) => part.trim()).filter(Boolean));

/** An address without its port, its brackets, or the IPv4-in-IPv6 form that a dual socket gives. */
function plain(address: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
  return /^::ffff:([\d.]+)$/i.exec(bare)?.[1] ?? bare;
}

const trusted = (proxies: BlockList, address: string): boolean => {
  const version = isIP(address);
  return version !== 0 && proxies.check(address, version === 6 ? "ipv6" : "ipv4");
};
