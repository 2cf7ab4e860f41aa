/**
 * Ways in which upstream and people write one number differently: Brazil's mobiles with and without the ninth digit,
 * Mexico's and Argentina's with and without the digit that marked mobiles ([identities.identities.1]).
 */
const FORMS: readonly { readonly form: RegExp; readonly other: string }[] = [
  { form: /^(55\d\d)9([6-9]\d{7})$/, other: '$1$2' },
  { form: /^(55\d\d)([6-9]\d{7})$/, other: '$19$2' },
  { form: /^(52)1(\d{10})$/, other: '$1$2' },
  { form: /^(52)([2-9]\d{9})$/, other: '$11$2' },
  { form: /^(54)9(\d{10})$/, other: '$1$2' },
  { form: /^(54)([1-8]\d{9})$/, other: '$19$2' },
]

/**
 * Gives the other forms in which the same person's digits may be written; none for most numbers. They find a
 * conversation that exists, and join none ([identities.joining.3]).
 */
export function otherForms(digits: string): readonly string[] {
  return FORMS.flatMap(({ form, other }) => {
    const parts = form.exec(digits)
    return parts === null ? [] : [other.replace('$1', parts[1] ?? '').replace('$2', parts[2] ?? '')]
  })
}
