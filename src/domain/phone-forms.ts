/**
 * Gives the other forms in which upstream or the device network may know a person's digits ([identities.identities.1]):
 * Brazil's mobile numbers with and without the ninth digit, numbers of Mexico with and without the 1, numbers of
 * Argentina with and without the 9 that mark mobile numbers. At most one; none for most numbers. The form of a form
 * leads back. Forms may belong to somebody else: they find a conversation that exists, and join none
 * ([identities.joining.3]).
 */
export function otherForms(digits: string): readonly string[] {
  const pair = pairOf(digits)
  if (pair === null) return []
  return [pair[0] === digits ? pair[1] : pair[0]]
}

/** The two forms of a number, or null when it has only one. */
function pairOf(digits: string): readonly [string, string] | null {
  const brazil = BRAZIL.exec(digits)
  if (brazil) return [`55${brazil[1]}9${brazil[2]}`, `55${brazil[1]}${brazil[2]}`]
  const mexico = MEXICO.exec(digits)
  if (mexico) return [`521${mexico[1]}`, `52${mexico[1]}`]
  const argentina = ARGENTINA.exec(digits)
  return argentina && [`549${argentina[1]}`, `54${argentina[1]}`]
}

/**
 * A mobile number of Brazil: an area code that is assigned, the ninth digit or none, and eight digits. Mobile numbers
 * began with 6 to 9 when the ninth digit was put in front (Anatel, resolution 553 of 2010). Eight digits that begin
 * with 2 to 5 are a landline, so a mobile number that has such ones behind its 9 has no shorter form.
 */
const BRAZIL = /^55([14689][1-9]|2[12478]|3[1-578]|5[1345]|7[134579])9?([6-9]\d{7})$/

/**
 * A number of Mexico: ten digits, which never begin with 0 or 1. Mexico gave up the 1 that marked mobile numbers in
 * calls from abroad in 2019, upstream did not.
 */
const MEXICO = /^521?([2-9]\d{9})$/

/** A number of Argentina: ten digits, whose area code is 11 or begins with 2 or 3. */
const ARGENTINA = /^549?((?:11|[23]\d)\d{8})$/
