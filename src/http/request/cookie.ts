/**
 * The value of a cookie in the header `cookie`; null when there is none, or more than one, because another host may
 * have set one of them.
 */
export function cookieOf(header: string | undefined, name: string): string | null {
  const sent = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return sent.length === 1 ? (sent[0]?.slice(name.length + 1) ?? null) : null
}
