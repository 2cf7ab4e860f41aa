import { randomBytes, randomInt } from 'node:crypto'

/** 15 digits, which a number of JavaScript can hold. */
export function newId(): string {
  return `1${String(randomInt(1e7)).padStart(7, '0')}${String(randomInt(1e7)).padStart(7, '0')}`
}

/** 18 digits, odd, so that no number of JavaScript can hold it exactly. */
export function newLongId(): string {
  return `${randomInt(1, 10)}${String(randomInt(1e8)).padStart(8, '0')}${String(randomInt(1e8)).padStart(8, '0')}${randomInt(5) * 2 + 1}`
}

export function newToken(): string {
  return `EAA${randomBytes(48).toString('base64url').replaceAll(/[-_]/g, 'Z')}`
}
