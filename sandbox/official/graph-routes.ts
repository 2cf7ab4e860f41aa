import type { Acted } from './http/acted.ts'
import { unknownObject } from './http/graph-error.ts'
import { account } from './objects/account.ts'
import { answerOf } from './objects/answer-of.ts'
import { app } from './objects/app.ts'
import { flow } from './objects/flow.ts'
import { LEAD_AD_KINDS } from './objects/lead-ads.ts'
import { media } from './objects/media.ts'
import type { GraphRequest } from './objects/object.ts'
import { phone } from './objects/phone.ts'
import { template } from './objects/template.ts'
import { upload } from './objects/upload.ts'
import type { OfficialPlatform } from './platform/platform.ts'

/** Kinds of objects; the first one that has the object and the edge answers. */
const KINDS = [
  answerOf(phone),
  answerOf(account),
  answerOf(media),
  answerOf(template),
  answerOf(flow),
  answerOf(app),
  answerOf(upload),
  ...LEAD_AD_KINDS,
]

/** Answers a request on an object that the token opens; anything else does not exist (100/33). */
export async function answerGraph(platform: OfficialPlatform, request: GraphRequest): Promise<Acted> {
  for (const answer of KINDS) {
    const acted = answer(platform, request)
    if (acted) return await acted
  }
  throw unknownObject(request.method, request.id)
}
