import type { Checker } from './checker.ts'

/** Our choice: ten times the most that seeds 1 to 150 have. */
const MOST_WAITING = 30
/** A number and its sending. */
const ACTORS_OF_A_NUMBER = 2

/** No mailbox grows with what befalls the cluster, and once it rests only the actors of numbers are left. */
export const whatWaitsIsBounded: Checker = ({ cluster: { runtimes, gateways }, numbers }) => {
  const most = Math.max(...runtimes.map((runtime) => runtime.mostWaiting()))
  const alive = [...gateways.values()].reduce((sum, { runtime }) => sum + runtime.count(), 0)
  return [
    ...(most > MOST_WAITING ? [`${most} messages waited for one actor`] : []),
    ...(alive > numbers.length * ACTORS_OF_A_NUMBER ? [`${alive} actors are left for ${numbers.length} numbers`] : []),
  ]
}
