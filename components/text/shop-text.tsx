import { AgentText } from "./agent-text";
import { revealHidden } from "./reveal-hidden";

/** A name or a title as the shop has it: whoever typed it there, its hidden characters show, and its direction ends with it. */
export const ShopText = ({ text }: { text: string }) => <bdi><AgentText segments={revealHidden(text)} /></bdi>;
