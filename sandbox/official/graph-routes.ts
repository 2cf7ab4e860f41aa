import type { Acted } from './http/acted.ts'
import { unknownObject } from './http/graph-error.ts'
import { account } from './objects/account.ts'
import { app } from './objects/app.ts'
import { flow } from './objects/flow.ts'
import { media } from './objects/media.ts'
import type { GraphRequest, ObjectKind } from './objects/object.ts'
import { phone } from './objects/phone.ts'
import { template } from './objects/template.ts'
import { upload } from './objects/upload.ts'
import type { OfficialPlatform } from './platform.ts'

type Answer = Acted | Promise<Acted>

/** Kinds of objects: the first that has the object and the edge answers. */
const KINDS = [answerOf(phone), answerOf(account), answerOf(media), answerOf(template), answerOf(flow), answerOf(app), answerOf(upload)]

/** Answers what is asked of an object of this kind; null when it is not of this kind. */
function answerOf<T>({ find, edges }: ObjectKind<T>): (platform: OfficialPlatform, request: GraphRequest) => Answer | null {
  return (platform, request) => {
    const edge = edges[`${request.method} ${request.edge}`]
    const on = edge ? find(platform, request) : null
    return edge && on ? edge({ ...request, platform, on }) : null
  }
}

/** Answers a request on an object that the token opens; anything else does not exist (100/33). */
export async function answerGraph(platform: OfficialPlatform, request: GraphRequest): Promise<Acted> {
  for (const answer of KINDS) {
    const acted = answer(platform, request)
    if (acted) return await acted
  }
  throw unknownObject(request.method, request.id)
}
