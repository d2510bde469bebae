// Money as decimal text and as hundredths, exact at any size.

/** Returns `-1234n` for `"-12.34"`. */
export function hundredthsOf(text: string): bigint {
  return BigInt(text.replace('.', ''));
}

/** Returns `"-12.34"` for `-1234n`; zero has no sign. */
export function moneyText(hundredths: bigint): string {
  const sign = hundredths < 0n ? '-' : '';
  const digits = String(hundredths < 0n ? -hundredths : hundredths).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function absolute(hundredths: bigint): bigint {
  return hundredths < 0n ? -hundredths : hundredths;
}

export function sum(amounts: Iterable<bigint>): bigint {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}
