/** An operation of the n8n node: one of the document, and the fields that the node asks for. */
export interface NodeOperation {
  readonly resource: 'message' | 'call'
  readonly operation: string
  readonly name: string
  /** What the document calls it. */
  readonly operationId: string
  /** Fields that are always shown, those of the path among them. */
  readonly shown: readonly string[]
  /** Those of them that the node does not run without. */
  readonly required: readonly string[]
  /** Fields that are added when they are needed; query and `idempotency-key` come by themselves. */
  readonly added: readonly string[]
  /** Each element of this field of the answer is an item; null where the answer is one. */
  readonly items: string | null
}

/** Fields that every send has. */
const OF_EACH_SEND = ['correlationId', 'deliverAt', 'deliverUntil', 'groupId', 'newsletterId', 'quotedMessageId']

function send(operation: string, name: string, mode: string, fields: Partial<NodeOperation> = {}): NodeOperation {
  return {
    resource: 'message',
    operation,
    name,
    operationId: 'sendMessage',
    shown: ['destinationNumber', mode],
    required: [mode],
    items: null,
    ...fields,
    added: [...(fields.added ?? []), ...OF_EACH_SEND],
  }
}

function read(resource: 'message' | 'call', operation: string, name: string, operationId: string): NodeOperation {
  return { resource, operation, name, operationId, shown: [], required: [], added: [], items: null }
}

/** our choice: what workflows need: every mode of a send, calls, and what became of either. */
export const OPERATIONS: readonly NodeOperation[] = [
  send('sendText', 'Send Text', 'text', { added: ['buttons', 'header', 'footer'] }),
  send('sendTemplate', 'Send Template', 'templateId', {
    added: ['language', 'variables', 'media', 'mediaFilename', 'cards', 'flow'],
  }),
  // The file comes from an address or from the item, so neither is required.
  send('sendMedia', 'Send Media', 'mediaType', {
    shown: ['destinationNumber', 'mediaType', 'media'],
    added: ['caption', 'mediaFilename'],
  }),
  send('sendCarousel', 'Send Carousel', 'carousel'),
  send('sendContacts', 'Send Contacts', 'contacts'),
  send('sendFlow', 'Send Flow', 'flow'),
  send('sendList', 'Send List', 'list'),
  send('sendLocation', 'Send Location', 'location'),
  send('sendPoll', 'Send Poll', 'poll'),
  send('sendReaction', 'Send Reaction', 'reaction'),
  send('requestContact', 'Request Contact', 'contactRequest'),
  { ...read('message', 'get', 'Get', 'getMessage'), shown: ['id'], required: ['id'] },
  { ...read('message', 'getAll', 'Get Many', 'listMessages'), items: 'messages' },
  {
    ...read('call', 'create', 'Place', 'placeCall'),
    shown: ['to'],
    required: ['to'],
    added: ['media', 'record', 'bizOpaqueCallbackData', 'sdp', 'sdpType'],
  },
  { ...read('call', 'terminate', 'End', 'terminateCall'), shown: ['callId'], required: ['callId'] },
  { ...read('call', 'get', 'Get', 'getCall'), shown: ['callId'], required: ['callId'] },
  { ...read('call', 'getAll', 'Get Many', 'listCalls'), items: 'calls' },
]
