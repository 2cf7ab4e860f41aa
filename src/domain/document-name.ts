/**
 * Makes the name that a file is shown under: as it was given, with the extension that its content has, since phones do
 * not open a file without one. A dot in the middle of words begins no extension.
 *
 * @param given null when the file has no name of its own
 * @param safe the name made of the given one and the type, which has the right extension
 */
export function shownName(given: string | null, safe: string): string {
  const plain = given?.replace(/[.\s]+$/, '') ?? ''
  if (plain === '') return safe
  const extension = safe.slice(safe.lastIndexOf('.'))
  return plain.toLowerCase().endsWith(extension) ? plain : plain + extension
}
