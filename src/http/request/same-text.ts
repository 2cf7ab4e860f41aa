import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether two secrets are equal. It takes the same time wherever a wrong one differs. */
export function isSameText(known: string, given: string): boolean {
  return timingSafeEqual(createHash('sha256').update(known).digest(), createHash('sha256').update(given).digest())
}
