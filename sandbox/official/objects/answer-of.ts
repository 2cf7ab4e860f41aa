import type { Acted } from '../http/acted.ts'
import type { OfficialPlatform } from '../platform/platform.ts'
import type { GraphRequest, ObjectKind } from './object.ts'

type Answer = Acted | Promise<Acted>

/** Answers what is asked of an object of this kind; null when it is not of this kind. */
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
