import { decide } from './decide.ts'
import type { Decider, Decision, Question } from './decide.ts'
import type { ConsentPorts } from './ports.ts'

/** The commands of consents. */
export type ConsentCommands = ReturnType<typeof createConsents>

/** Makes the commands of consents. */
export function createConsents(ports: ConsentPorts) {
  return {
    find: ({ id, browserSecret }: Question) => ports.oauthInteractions.find(id, browserSecret),
    decide: (question: Question, decider: Decider, given: Decision) => decide(ports, question, decider, given),
  }
}
