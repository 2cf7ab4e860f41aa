/** Newsletters: unencrypted public posts with followers, queried in a GraphQL-like form (`w:mex`). */
import { randomBytes } from 'node:crypto'
import { type BinaryNode, proto, QueryIds } from 'baileys'
import type { Account, Device } from './directory.ts'
import { bytesOf, child, children, refusalOf, resultOf, seconds, stanza, textOf } from './stanza.ts'

export type Newsletter = {
  id: string
  name: string
  description: string
  createdAt: string
  owner: Account
  followers: Set<Account>
  posts: { id: string; serverId: number; message: proto.IMessage }[]
}

export type Newsletters = {
  all: Map<string, Newsletter>
  create(owner: Account, name: string, description?: string): Newsletter
  follow(account: Account, id: string): void
  /** Posts into a newsletter: devices of followers get it as a message. */
  post(newsletter: Newsletter, message: proto.IMessage, options?: { id?: string; except?: Device }): string
  /** Takes a post of a device; only the owner's count. */
  onPost(device: Device, node: BinaryNode): void
  answer(device: Device, query: BinaryNode): BinaryNode
}

const drawId = (): string =>
  `120363${BigInt(`0x${randomBytes(5).toString('hex')}`)
    .toString()
    .padStart(12, '0')
    .slice(-12)}@newsletter`

/** A newsletter as queries show it. */
function shown(newsletter: Newsletter, viewer: Account): object {
  const text = (value: string) => ({ id: newsletter.createdAt, text: value, update_time: '0' })
  return {
    id: newsletter.id,
    state: { type: 'ACTIVE' },
    thread_metadata: {
      name: text(newsletter.name),
      description: text(newsletter.description),
      creation_time: newsletter.createdAt,
      invite: newsletter.id.slice(0, 18),
      subscribers_count: String(newsletter.followers.size),
      verification: 'UNVERIFIED',
      picture: { id: '', direct_path: '' },
      preview: { id: '', direct_path: '' },
    },
    viewer_metadata: { mute: 'OFF', role: newsletter.owner === viewer ? 'OWNER' : 'SUBSCRIBER' },
  }
}

type Variables = { newsletter_id?: string; input?: { key?: string; name?: string; description?: string | null } }
type Answer = (newsletters: Newsletters, account: Account, variables: Variables) => object

const found = (newsletters: Newsletters, id: string | undefined): Newsletter => {
  const newsletter = newsletters.all.get(id ?? '')
  if (!newsletter) throw new Error('NEWSLETTER_NOT_FOUND')
  return newsletter
}

const ANSWERS: Record<string, Answer> = {
  [QueryIds.METADATA]: (newsletters, account, { input }) => ({
    xwa2_newsletter: shown(found(newsletters, input?.key), account),
  }),
  [QueryIds.CREATE]: (newsletters, account, { input }) => ({
    xwa2_newsletter_create: shown(newsletters.create(account, input?.name ?? '', input?.description ?? ''), account),
  }),
  [QueryIds.FOLLOW]: (newsletters, account, { newsletter_id: id }) => {
    found(newsletters, id).followers.add(account)
    return { xwa2_newsletter_join_v2: { id } }
  },
  [QueryIds.UNFOLLOW]: (newsletters, account, { newsletter_id: id }) => {
    found(newsletters, id).followers.delete(account)
    return { xwa2_newsletter_leave_v2: { id } }
  },
}

/**
 * The library does not name the query for followed newsletters, so any query that is not in the table gets that list.
 */
const subscribed: Answer = (newsletters, account) => ({
  xwa2_newsletter_subscribed: [...newsletters.all.values()]
    .filter(({ followers }) => followers.has(account))
    .map((one) => shown(one, account)),
})

function answerMex(newsletters: Newsletters, device: Device, query: BinaryNode): BinaryNode {
  const node = child(query, 'query')
  const answer = ANSWERS[node?.attrs['query_id'] ?? ''] ?? subscribed
  const body = (data: object): BinaryNode => resultOf(query, [stanza('result', {}, Buffer.from(JSON.stringify(data)))])
  try {
    return body({ data: answer(newsletters, device.account, JSON.parse(textOf(node)).variables as Variables) })
  } catch (error) {
    return body({ errors: [{ message: error instanceof Error ? error.message : '', extensions: { error_code: 404 } }] })
  }
}

function postNode(newsletter: Newsletter, post: Newsletter['posts'][number]): BinaryNode {
  const attributes = { from: newsletter.id, id: post.id, server_id: String(post.serverId), type: 'text', t: seconds() }
  return stanza('message', attributes, [stanza('plaintext', {}, proto.Message.encode(post.message).finish())])
}

/** Opens the list of newsletters. */
export function openNewsletters(): Newsletters {
  const all = new Map<string, Newsletter>()
  const newsletters: Newsletters = {
    all,
    create: (owner, name, description = '') => {
      const newsletter = {
        id: drawId(),
        name,
        description,
        createdAt: seconds(),
        owner,
        followers: new Set([owner]),
        posts: [],
      }
      all.set(newsletter.id, newsletter)
      return newsletter
    },
    follow: (account, id) => void found(newsletters, id).followers.add(account),
    post: (newsletter, message, { id = randomBytes(10).toString('hex').toUpperCase(), except } = {}) => {
      const post = { id, serverId: newsletter.posts.length + 100, message }
      newsletter.posts.push(post)
      for (const follower of newsletter.followers) {
        follower.phone.onPlain(newsletter.owner, id, newsletter.id, message)
        for (const device of follower.devices.values())
          if (device !== except) device.mailbox.post(postNode(newsletter, post))
      }
      return id
    },
    onPost: (device, node) => {
      const newsletter = all.get(node.attrs['to'] ?? '')
      const plaintext = child(node, 'plaintext')
      if (newsletter?.owner !== device.account || !plaintext) return
      newsletters.post(newsletter, proto.Message.decode(bytesOf(plaintext)), {
        id: node.attrs['id'] ?? '',
        except: device,
      })
    },
    answer: (device, query) => {
      if (query.attrs['xmlns'] === 'w:mex') return answerMex(newsletters, device, query)
      const newsletter = all.get(query.attrs['to'] ?? '')
      if (!newsletter) return refusalOf(query, 404, 'item-not-found')
      const count = Number(children(query, 'message_updates')[0]?.attrs['count'] ?? 0)
      const posts = newsletter.posts.slice(-count).map((post) => postNode(newsletter, post))
      return resultOf(query, [
        stanza(count > 0 ? 'message_updates' : 'live_updates', { duration: '300' }, count > 0 ? posts : []),
      ])
    },
  }
  return newsletters
}
