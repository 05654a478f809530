import { proportion } from "../kernel/money";

/** What an order line was paid, and what of it is refunded or held: in minor units and in pieces. */
export type Priced = { quantity: number; paidMinor: bigint; takenMinor: bigint; takenUnits: number };

/** What so many more units of a line come to. The last ones absorb the rounding, so that parts sum to what was paid. Pure: screens show it, staging decides it. */
export function priceOf({ quantity, paidMinor, takenMinor, takenUnits }: Priced, units: number): bigint {
  const left = paidMinor - takenMinor;
  if (takenUnits + units === quantity) return left;
  const share = proportion(paidMinor, units, quantity);
  return share < left ? share : left;
}
