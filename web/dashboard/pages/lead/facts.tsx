import { Fragment } from 'preact'
import type { ComponentChildren } from 'preact'
import { Badge, CopyText, Time } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import { adOf, consentOf, leadsPath, reasonOf, SEND_TONES } from '../leads/lead.ts'
import type { LeadProps } from './props.ts'

/** Who a lead is of, what became of it, and where it came from. */
export function Facts(props: LeadProps) {
  const { words, lead } = props
  const { list } = words
  return (
    <section class="card" aria-labelledby="person" data-status={lead.autoSendStatus}>
      <h2 id="person">
        {lead.redacted ? <span data-redacted>{list.redacted}</span> : <bdi>{lead.fullName ?? list.noName}</bdi>}
      </h2>
      {lead.redacted && <p class="muted">{words.withheld}</p>}
      <dl class="facts">
        {rowsOf(props).map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      <Ways {...props} />
    </section>
  )
}

type Row = readonly [name: string, value: ComponentChildren]

function rowsOf({ words, lead }: LeadProps): readonly Row[] {
  const { list } = words
  const reason = reasonOf(lead, list)
  const texts: readonly (readonly [string, string | null])[] = [
    [list.email, lead.email],
    [list.phone, lead.phone],
    [list.page, lead.pageName ?? lead.pageId],
    [list.form, lead.formName ?? lead.formId],
    [list.ad, adOf(lead, list)],
    [words.adset, lead.adsetName],
    [words.campaign, lead.campaignName],
    [words.platform, lead.platform === null ? null : words.platforms[lead.platform]],
  ]
  return [
    [
      list.sent,
      <span key="sent">
        <Badge tone={SEND_TONES[lead.autoSendStatus]} text={list.sends[lead.autoSendStatus]} />{' '}
        {reason !== null && <span data-reason={lead.autoSendReason}>{reason}</span>}
      </span>,
    ],
    [
      list.consent,
      <span key="consent" data-consent={String(lead.consentGiven)}>
        {consentOf(lead, list)}
      </span>,
    ],
    ...texts.flatMap(([name, text]): Row[] => (text === null ? [] : [[name, <bdi key={name}>{text}</bdi>]])),
    [list.submitted, <Time key="submitted" at={lead.createdAt} />],
    [
      words.came,
      <span key="came">
        <Time at={lead.receivedAt} /> <span class="muted">{words.sources[lead.source]}</span>
      </span>,
    ],
    [list.id, <CopyText key="id" text={lead.id} />],
    [words.leadgenId, <CopyText key="leadgenId" text={lead.leadgenId} />],
  ]
}

/** Where a person goes on from here: the conversation, and other leads of the form. */
function Ways({ words, lead, number }: LeadProps) {
  const { can } = useApp()
  const inbox = new URLSearchParams({ numberId: number, conversationId: lead.conversationId ?? '' })
  return (
    <div class="actions">
      {lead.conversationId !== null && can('chat:send') && (
        <a class="button primary" data-action="conversation" href={`/dashboard/inbox?${inbox}`}>
          {words.conversation}
        </a>
      )}
      <a class="button quiet" data-action="same-form" href={`${leadsPath(number)}&formId=${lead.formId}`}>
        {words.sameForm}
      </a>
    </div>
  )
}
