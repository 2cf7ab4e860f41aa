import type { FlowId } from '../../src/domain/ids.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import type { FlowResponseQuery } from '../../src/ports/stores/flow-response-store.ts'
import type { AnswerRig } from './flow-answers.ts'
import { flowAccount, madeFlow, type FlowAccount } from './flow-world.ts'
import { newTenant } from './official-store.ts'
import type { World } from './world.ts'

export const [SECOND_MS, HOUR_MS, DAY_MS] = [1_000, 3_600_000, 86_400_000]
/** The start time of these worlds, in ms since the epoch. */
export const NOON = Date.UTC(2026, 0, 10, 12)
const ALL: FlowResponseQuery = { page: 1, pageSize: 100, startDate: null, endDate: null }

/** Makes a number with a Flow that was sent as `wamid.flow`, token `ft_1`. */
export async function sentFlow(
  world: World,
  rig: AnswerRig,
  fields: Parameters<typeof flowAccount>[3] = {},
  accountId?: string,
  account?: FlowAccount,
) {
  const made = account ?? (await flowAccount(world, await newTenant(world), accountId, fields))
  const flow = await madeFlow(world, made.owner)
  const contextId = `wamid.flow.${flow.id}`
  const token = `ft_${flow.id}`
  const messageId = await rig.send(made.number, { flowId: flow.id, token, externalId: contextId })
  return { ...made, flow, contextId, token, messageId }
}

/** Reads a page of responses. */
export async function listed(
  world: World,
  number: ChannelNumber,
  flowId: FlowId,
  query: Partial<FlowResponseQuery> = {},
) {
  const { items, ...rest } = await world.stores.flowResponses.list(number, flowId, { ...ALL, ...query })
  return { names: items.map(({ response }) => response?.['name']), items, ...rest }
}
