import type { Acted } from '../http/acted.ts'
import type { OfficialPlatform } from '../platform/platform.ts'
import type { GraphRequest, ObjectKind } from './object.ts'

type Answer = Acted | Promise<Acted>

/** Makes the answerer of a kind of object; it answers null for objects of other kinds. */
export function answerOf<T>({
  find,
  edges,
}: ObjectKind<T>): (platform: OfficialPlatform, request: GraphRequest) => Answer | null {
  return (platform, request) => {
    const edge = edges[`${request.method} ${request.edge}`]
    const on = edge ? find(platform, request) : null
    return edge && on ? edge({ ...request, platform, on }) : null
  }
}
