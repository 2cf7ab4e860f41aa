import Copy from 'lucide/dist/esm/icons/copy.mjs'
import ExternalLink from 'lucide/dist/esm/icons/external-link.mjs'
import type { ComponentChildren } from 'preact'
import { Icon } from '../../../ui/icon.tsx'
import { numberOf } from '../../../ui/phone-number.ts'
import { otherAddressesOf, titleOf } from '../../model/conversations.ts'
import type { Conversation, Message, Referral } from '../../model/message.ts'
import { nameOfOrigin, originIn, sharedIn } from '../../model/person.ts'
import type { OpenThread } from '../../state/open-thread.ts'
import { Avatar } from '../avatar.tsx'
import { useDrawn } from '../context.ts'
import { useMoreWords, useSaid } from '../more-words.ts'
import { DocumentContent, ImageContent, VideoContent } from '../thread/media-contents.tsx'
import { Aside } from './aside.tsx'

/** Our choice: the files that are drawn; each is read from the service. */
const MOST_FILES = 12

interface PersonPanelProps {
  readonly open: OpenThread
  readonly conversation: Conversation
  readonly onClose: () => void
}

/** Who the person of a conversation is: name, numbers, since when, from which ad, and the files that were shared. */
export default function PersonPanel(props: PersonPanelProps) {
  return useMoreWords() && <Shown {...props} />
}

function Shown({ open, conversation, onClose }: PersonPanelProps) {
  const said = useSaid()
  const { words, formats } = useDrawn()
  const { id, type, from, createdAt } = conversation
  const title = titleOf(conversation, words)
  const messages = open.thread.value?.messages ?? []
  const number = type === 'DIRECT' ? numberOf(from) : null
  const origin = originIn(messages)
  return (
    <Aside name="person" heading={said.person.heading[type]} onClose={onClose}>
      <div class="person-head">
        <Avatar title={title} />
        <p class="person-name" dir="auto">
          {title}
        </p>
      </div>
      <dl class="facts">
        {number !== null && <CopiedFact name={said.person.number} value={number} action="copy-number" />}
        {otherAddressesOf(conversation).map((address) => (
          <CopiedFact key={address} name={said.person.also} value={address} action="copy-address" />
        ))}
        <OwnNumber numberId={conversation.numberId} />
        <Fact name={said.person.since}>
          <time dateTime={createdAt}>{formats.full(createdAt)}</time>
        </Fact>
        {origin && <Origin of={origin} />}
        <CopiedFact name={said.person.conversationId} value={id} action="copy-conversation-id" />
      </dl>
      <Shared open={open} files={sharedIn(messages)} />
    </Aside>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}

interface CopiedProps {
  readonly name: string
  readonly value: string
  /** The value of `data-action`. */
  readonly action: string
}

function CopiedFact({ name, value, action }: CopiedProps) {
  const { notes } = useDrawn()
  const said = useSaid()
  return (
    <Fact name={name}>
      <bdi>{value}</bdi>
      <button
        type="button"
        class="plain small"
        data-action={action}
        aria-label={said.person.copy(name)}
        onClick={() => notes.copy(value, said)}
      >
        <Icon of={Copy} size={16} />
      </button>
    </Fact>
  )
}

/** The number that the person writes to. */
function OwnNumber({ numberId }: { readonly numberId: string }) {
  const { inbox } = useDrawn()
  const said = useSaid()
  const number = inbox.session.value?.numbers.find(({ id }) => id === numberId)
  if (number === undefined) return null
  return (
    <Fact name={said.person.writesTo}>
      <bdi>{number.name}</bdi> <bdi>{numberOf(number.number)}</bdi>
    </Fact>
  )
}

/** The ad or post that led the person here, as far as the messages that were read name one. */
function Origin({ of }: { readonly of: Referral }) {
  const said = useSaid()
  const name = nameOfOrigin(of) ?? said.person.unnamed
  const isLink = of.sourceUrl !== null && /^https?:/i.test(of.sourceUrl)
  return (
    <Fact name={of.sourceType === 'post' ? said.person.fromPost : said.person.fromAd}>
      {isLink ? (
        <a href={of.sourceUrl ?? ''} target="_blank" rel="noopener noreferrer nofollow">
          <bdi>{name}</bdi> <Icon of={ExternalLink} size={14} />
        </a>
      ) : (
        <bdi>{name}</bdi>
      )}
    </Fact>
  )
}

/** Files of the messages that were read, newest first; older messages are read on demand. */
function Shared({ open, files }: { readonly open: OpenThread; readonly files: readonly Message[] }) {
  const said = useSaid()
  const hasOlder = open.thread.value?.hasOlder === true
  return (
    <section class="shared" aria-label={said.person.files}>
      <h3>{said.person.files}</h3>
      {files.length === 0 && <p class="aside">{hasOlder ? said.person.noFilesYet : said.person.noFiles}</p>}
      <ul role="list">
        {files.slice(0, MOST_FILES).map((message) => (
          <li key={message.id} data-file={message.id}>
            <SharedFile message={message} />
          </li>
        ))}
      </ul>
      {files.length > MOST_FILES && <p class="aside">{said.person.moreFiles(files.length - MOST_FILES)}</p>}
      {hasOlder && files.length < MOST_FILES && (
        <button
          type="button"
          class="link"
          data-action="older-files"
          disabled={open.reading.value !== null}
          onClick={() => void open.readOlder()}
        >
          {said.person.older}
        </button>
      )}
    </section>
  )
}

function SharedFile({ message }: { readonly message: Message }) {
  if (message.type === 'image') return <ImageContent message={message} />
  return message.type === 'video' ? <VideoContent message={message} /> : <DocumentContent message={message} />
}
