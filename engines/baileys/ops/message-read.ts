import { refusalOf } from '../translate-out/failure.ts'
import { textsField, type Operations } from './operation.ts'

/** our choice: most ids in one request. */
const MAX_IDS = 1_000

/** `message.read`: tells the writers that their messages were read. Ids that are unknown or too old are skipped. */
export const readMessages: Operations['message.read'] = async (live, fields) => {
  const ids = textsField(fields, 'externalMessageIds', MAX_IDS)
  const seen = await Promise.all(ids.map((id) => live.store.seen.find(id)))
  const keys = seen.flatMap((message) => message?.key ?? []).filter(({ fromMe }) => !fromMe)
  const { sock } = live
  if (keys.length > 0)
    await sock.readMessages(keys).catch((error: unknown) => {
      throw refusalOf(error)
    })
  return {}
}
