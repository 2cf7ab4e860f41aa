/**
 * Countries whose numbers the network writes with or without one digit: country code, that digit, and its place after
 * country and area code.
 */
const VARIANTS: readonly RegExp[] = [/^(55\d\d)9?(\d{8})$/, /^(52)1?(\d{10})$/, /^(54)9?(\d{10})$/]

/**
 * Whether two numbers in digits are the same on the network, which keeps old forms of Brazilian, Mexican and
 * Argentinian ones.
 */
export function isSameNumber(one: string, other: string): boolean {
  return plain(one) === plain(other)
}

function plain(digits: string): string {
  for (const form of VARIANTS) {
    const [, head, tail] = form.exec(digits) ?? []
    if (head !== undefined) return `${head}${tail}`
  }
  return digits
}
