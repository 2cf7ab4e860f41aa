import { MESSAGE_TOOLS } from './message-tools.ts'
import { SAMPLE_BY_ADDRESS, WORDING_BY_ADDRESS } from './narrowings.ts'
import type { ToolFacts } from './tool.ts'

const NUMBERS: readonly ToolFacts[] = [
  {
    name: 'numbers_list',
    route: 'listNumbers',
    title: 'List numbers',
    listName: 'numbers',
    description:
      'Lists the numbers of the account that this credential may see: id, provider, state, health. Use an id as channelNumberId of other tools.',
  },
  {
    name: 'number_status',
    route: 'getStatus',
    title: 'Read the connection of a number',
    description: 'Says whether a number is connected now.',
  },
]

const LEADS: readonly ToolFacts[] = [
  {
    name: 'leads_list',
    route: 'listLeads',
    title: 'List leads',
    holdsTexts: true,
    description:
      'Lists what people submitted in the instant forms of ads, newest first. Names, addresses and answers are as people typed them.',
  },
  {
    name: 'leads_get',
    route: 'getLead',
    title: 'Read a lead',
    holdsTexts: true,
    description: 'Reads one lead by its id.',
  },
  {
    name: 'referrals_list',
    route: 'listReferrals',
    title: 'List conversations that ads began',
    holdsTexts: true,
    description: 'Lists messages of an OFFICIAL number by which an ad or a post began a conversation, newest first.',
  },
  {
    name: 'referrals_summary',
    route: 'summarizeReferrals',
    title: 'Count conversations by ad',
    description:
      'Counts, for an OFFICIAL number, which ads and posts began how many conversations. Names of ads that are null are not known.',
  },
]

const TEMPLATES: readonly ToolFacts[] = [
  {
    name: 'templates_list',
    route: 'listTemplates',
    title: 'List templates',
    description: 'Lists the templates of a number, newest first, with the variables that a send has to give.',
  },
  {
    name: 'template_get',
    route: 'getTemplate',
    title: 'Read a template',
    reachesOut: true,
    description: 'Reads a template by id or name. With refresh 1 it is read upstream first.',
  },
  {
    name: 'template_create',
    route: 'createTemplate',
    title: 'Create a template',
    reachesOut: true,
    narrowed: SAMPLE_BY_ADDRESS,
    description:
      'Creates a template. That of an OFFICIAL number is submitted for review upstream, which takes minutes to a day; that of an UNOFFICIAL one is sendable at once. A media header takes header.url alone.',
  },
  {
    name: 'template_update',
    route: 'updateTemplate',
    title: 'Replace the wording of a template',
    reachesOut: true,
    narrowed: WORDING_BY_ADDRESS,
    description:
      'Replaces the whole wording of a template. One of an OFFICIAL number is reviewed again upstream, and cannot be sent meanwhile; upstream allows few edits a day. A media header takes header.url alone.',
  },
  {
    name: 'template_delete',
    route: 'deleteTemplate',
    title: 'Delete a template',
    isDestructive: true,
    reachesOut: true,
    description:
      'Deletes a template, upstream too, in one language. It cannot be undone, and upstream keeps its name taken for some weeks.',
  },
]

const FLOWS: readonly ToolFacts[] = [
  {
    name: 'flows_list',
    route: 'listFlows',
    title: 'List Flows',
    description: 'Lists the Flows (forms inside the chat) of the account of an OFFICIAL number, newest first.',
  },
  {
    name: 'flow_get',
    route: 'getFlow',
    title: 'Read a Flow',
    reachesOut: true,
    description:
      'Reads a Flow: its status, health, and what is wrong with its document. With refresh 1 it is read upstream first.',
  },
  {
    name: 'flow_json_get',
    route: 'getFlowDocument',
    title: 'Read the document of a Flow',
    reachesOut: true,
    description: 'Reads the document of a Flow as upstream holds it.',
  },
  {
    name: 'flow_responses',
    route: 'listFlowResponses',
    title: 'List what customers submitted',
    holdsTexts: true,
    description: 'Lists what customers submitted to a Flow, newest first.',
  },
  {
    name: 'flow_create',
    route: 'createFlow',
    title: 'Create a Flow',
    reachesOut: true,
    description: 'Creates a draft, empty or as a clone of another Flow. Customers see nothing of a draft.',
  },
  {
    name: 'flow_update',
    route: 'updateFlow',
    title: 'Change name or categories of a draft',
    reachesOut: true,
    description: 'Changes the name or the categories of a draft. A published Flow cannot be changed.',
  },
  {
    name: 'flow_json_set',
    route: 'uploadFlowDocument',
    title: 'Give a draft its document',
    isRepeatable: true,
    reachesOut: true,
    description:
      'Replaces the document of a draft. Refused with what upstream finds wrong, each with its lines and columns.',
  },
  {
    name: 'flow_publish',
    route: 'publishFlow',
    title: 'Publish a Flow',
    isDestructive: true,
    reachesOut: true,
    description:
      'Publishes a draft so that it can be sent. For good: a published Flow is never changed or deleted, only deprecated. Needs confirm true.',
  },
  {
    name: 'flow_deprecate',
    route: 'deprecateFlow',
    title: 'End a published Flow',
    isDestructive: true,
    reachesOut: true,
    description:
      'Ends a published Flow for good: it cannot be sent any more, and customers who hold it cannot open it any more. What was submitted stays.',
  },
  {
    name: 'flow_delete',
    route: 'deleteFlow',
    title: 'Delete a draft',
    isDestructive: true,
    reachesOut: true,
    description: 'Deletes a draft, upstream too, with what was submitted to it. It cannot be undone.',
  },
]

const CALLS: readonly ToolFacts[] = [
  {
    name: 'calls_list',
    route: 'listCalls',
    title: 'List calls',
    description: 'Lists the calls of a number, newest first. Pass the createdAt of the last one as before to read on.',
  },
  {
    name: 'call_get',
    route: 'getCall',
    title: 'Read a call',
    description: 'Reads a call: its status, times, and files played.',
  },
  {
    name: 'call_permission',
    route: 'getCallPermissions',
    title: 'Read whether a contact may be called',
    reachesOut: true,
    description: 'Asks upstream whether an OFFICIAL number may call a contact, and how often.',
  },
  {
    name: 'call_start',
    route: 'placeCall',
    title: 'Place a call',
    reachesOut: true,
    description:
      "Rings a person's phone now. That cannot be taken back, and may cost money upstream. An OFFICIAL number needs sdp, the offer of a WebRTC end of yours; an UNOFFICIAL one takes none, and its audio comes from call_play.",
  },
  {
    name: 'call_accept',
    route: 'acceptCall',
    title: 'Answer a call',
    reachesOut: true,
    description: 'Answers an inbound call that rings. The person hears it from then on.',
  },
  {
    name: 'call_reject',
    route: 'rejectCall',
    title: 'Reject a call',
    isDestructive: true,
    reachesOut: true,
    description: 'Rejects a call that is not answered yet. It cannot be undone.',
  },
  {
    name: 'call_terminate',
    route: 'terminateCall',
    title: 'End a call',
    isDestructive: true,
    reachesOut: true,
    description: 'Hangs up. It cannot be undone; an ended call answers with its final status.',
  },
  {
    name: 'call_play',
    route: 'playOnCall',
    title: 'Play a file into a call',
    reachesOut: true,
    description:
      'Plays an audio file at an http(s) address to the person, on UNOFFICIAL numbers. Before the answer it is queued. With hangupAfterPlay the call ends behind it.',
  },
  {
    name: 'call_permission_request',
    route: 'requestCallPermission',
    title: 'Ask a contact for permission to call',
    reachesOut: true,
    description:
      "Sends a contact of an OFFICIAL number the question whether it may be called. Upstream allows few a day, and only within 24 hours of the contact's last message or call.",
  },
]

const WEBHOOKS: readonly ToolFacts[] = [
  {
    name: 'webhooks_list',
    route: 'listWebhooks',
    title: 'List webhooks',
    listName: 'webhooks',
    description: 'Lists where events are posted to: of one number, or of all that this credential may see.',
  },
  {
    name: 'webhook_get',
    route: 'getWebhook',
    title: 'Read a webhook',
    description: 'Reads a webhook: its address, events, and why it was switched off.',
  },
  {
    name: 'webhook_logs',
    route: 'listWebhookLogs',
    title: 'List deliveries of a webhook',
    holdsTexts: true,
    description: 'Lists the attempts of a webhook of the last 30 days, newest first, with what was sent and answered.',
  },
  {
    name: 'webhook_create',
    route: 'createWebhook',
    title: 'Create a webhook',
    withheld: ['secret'],
    description:
      'Has events of a number posted to an address from now on, texts and phone numbers of customers among them. The signing secret is not shown to tools: it is replaced, and then shown, by POST /v1/webhooks/{id}/secret.',
  },
  {
    name: 'webhook_update',
    route: 'updateWebhook',
    title: 'Change a webhook',
    description:
      'Changes address, name or events of a webhook, or switches it on and off. events replaces the whole list.',
  },
  {
    name: 'webhook_delete',
    route: 'deleteWebhook',
    title: 'Remove a webhook',
    isDestructive: true,
    description: 'Removes a webhook with its queued retries. It cannot be undone.',
  },
  {
    name: 'webhook_test',
    route: 'testWebhook',
    title: 'Test a webhook',
    reachesOut: true,
    description: 'Sends the event webhook.test to the address of a webhook once, and answers how that went.',
  },
]

/** Every tool, in the order listed (docs/contract/tools.md). No tool does what is not here: see `docs/tools.md`. */
export const TOOLS: readonly ToolFacts[] = [
  ...NUMBERS,
  ...MESSAGE_TOOLS,
  ...LEADS,
  ...TEMPLATES,
  ...FLOWS,
  ...CALLS,
  ...WEBHOOKS,
]
