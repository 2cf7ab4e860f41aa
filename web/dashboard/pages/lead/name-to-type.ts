/** Our choice: a name of these can be typed as it is shown. Its person wrote it, so it may be anything. */
const TYPEABLE = /^[\p{L}\p{M}\p{N}.'-]+(?: [\p{L}\p{M}\p{N}.'-]+){0,9}$/u
interface Named {
  readonly id: string
  readonly fullName: string | null
}

/** Our choice, in characters. */
const LONGEST_NAME = 60

/** What has to be typed before a lead is erased: the name of its person where that can be typed, else its id. */
export function nameToType({ id, fullName }: Named): string {
  const name = fullName?.trim() ?? ''
  return name.length <= LONGEST_NAME && TYPEABLE.test(name) ? name : id
}
