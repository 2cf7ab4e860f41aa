// Made by `npm run clients` of the OpenAPI and the AsyncAPI document; changes are lost.
import type { INodeProperties } from "n8n-workflow"
import type { ChannelRequest } from "../shared/request"

/** How each operation is asked for, by resource and operation. */
export const requests: Record<string, ChannelRequest> = {
  "message.sendText": {
    "method": "POST",
    "path": "/v1/messages/send",
    "items": null,
    "fields": [
      {
        "name": "destinationNumber",
        "parameter": "destinationNumber",
        "in": "body",
        "isJson": false,
        "isAdded": false
      },
      {
        "name": "text",
        "parameter": "text",
        "in": "body",
        "isJson": false,
        "isAdded": false
      },
      {
        "name": "buttons",
        "parameter": "buttons",
        "in": "body",
        "isJson": true,
        "isAdded": true
      },
      {
        "name": "header",
        "parameter": "header",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "footer",
        "parameter": "footer",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "correlationId",
        "parameter": "correlationId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverAt",
        "parameter": "deliverAt",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverUntil",
        "parameter": "deliverUntil",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "groupId",
        "parameter": "groupId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "newsletterId",
        "parameter": "newsletterId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "quotedMessageId",
        "parameter": "quotedMessageId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "idempotency-key",
        "parameter": "idempotencyKey",
        "in": "header",
        "isJson": false,
        "isAdded": true
      }
    ]
  },
  "message.sendTemplate": {
    "method": "POST",
    "path": "/v1/messages/send",
    "items": null,
    "fields": [
      {
        "name": "destinationNumber",
        "parameter": "destinationNumber",
        "in": "body",
        "isJson": false,
        "isAdded": false
      },
      {
        "name": "templateId",
        "parameter": "templateId",
        "in": "body",
        "isJson": false,
        "isAdded": false
      },
      {
        "name": "language",
        "parameter": "language",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "variables",
        "parameter": "variables",
        "in": "body",
        "isJson": true,
        "isAdded": true
      },
      {
        "name": "media",
        "parameter": "media",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "mediaFilename",
        "parameter": "mediaFilename",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "cards",
        "parameter": "cards",
        "in": "body",
        "isJson": true,
        "isAdded": true
      },
      {
        "name": "flow",
        "parameter": "flow",
        "in": "body",
        "isJson": true,
        "isAdded": true
      },
      {
        "name": "correlationId",
        "parameter": "correlationId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverAt",
        "parameter": "deliverAt",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverUntil",
        "parameter": "deliverUntil",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "groupId",
        "parameter": "groupId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "newsletterId",
        "parameter": "newsletterId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "quotedMessageId",
        "parameter": "quotedMessageId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "idempotency-key",
        "parameter": "idempotencyKey",
        "in": "header",
        "isJson": false,
        "isAdded": true
      }
    ]
  },
  "message.sendMedia": {
    "method": "POST",
    "path": "/v1/messages/send",
    "items": null,
    "fields": [
      {
        "name": "destinationNumber",
        "parameter": "destinationNumber",
        "in": "body",
        "isJson": false,
        "isAdded": false
      },
      {
        "name": "mediaType",
        "parameter": "mediaType",
        "in": "body",
        "isJson": false,
        "isAdded": false
      },
      {
        "name": "media",
        "parameter": "media",
        "in": "body",
        "isJson": false,
        "isAdded": false
      },
      {
        "name": "caption",
        "parameter": "caption",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "mediaFilename",
        "parameter": "mediaFilename",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "correlationId",
        "parameter": "correlationId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverAt",
        "parameter": "deliverAt",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverUntil",
        "parameter": "deliverUntil",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "groupId",
        "parameter": "groupId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "newsletterId",
        "parameter": "newsletterId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "quotedMessageId",
        "parameter": "quotedMessageId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "idempotency-key",
        "parameter": "idempotencyKey",
        "in": "header",
        "isJson": false,
        "isAdded": true
      }
    ]
  },
  "message.sendCarousel": {
    "method": "POST",
    "path": "/v1/messages/send",
    "items": null,
    "fields": [
      {
        "name": "destinationNumber",
        "parameter": "destinationNumber",
        "in": "body",
        "isJson": false,
        "isAdded": false
      },
      {
        "name": "carousel",
        "parameter": "carousel",
        "in": "body",
        "isJson": true,
        "isAdded": false
      },
      {
        "name": "correlationId",
        "parameter": "correlationId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverAt",
        "parameter": "deliverAt",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverUntil",
        "parameter": "deliverUntil",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "groupId",
        "parameter": "groupId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "newsletterId",
        "parameter": "newsletterId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "quotedMessageId",
        "parameter": "quotedMessageId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "idempotency-key",
        "parameter": "idempotencyKey",
        "in": "header",
        "isJson": false,
        "isAdded": true
      }
    ]
  },
  "message.sendContacts": {
    "method": "POST",
    "path": "/v1/messages/send",
    "items": null,
    "fields": [
      {
        "name": "destinationNumber",
        "parameter": "destinationNumber",
        "in": "body",
        "isJson": false,
        "isAdded": false
      },
      {
        "name": "contacts",
        "parameter": "contacts",
        "in": "body",
        "isJson": true,
        "isAdded": false
      },
      {
        "name": "correlationId",
        "parameter": "correlationId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverAt",
        "parameter": "deliverAt",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverUntil",
        "parameter": "deliverUntil",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "groupId",
        "parameter": "groupId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "newsletterId",
        "parameter": "newsletterId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "quotedMessageId",
        "parameter": "quotedMessageId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "idempotency-key",
        "parameter": "idempotencyKey",
        "in": "header",
        "isJson": false,
        "isAdded": true
      }
    ]
  },
  "message.sendFlow": {
    "method": "POST",
    "path": "/v1/messages/send",
    "items": null,
    "fields": [
      {
        "name": "destinationNumber",
        "parameter": "destinationNumber",
        "in": "body",
        "isJson": false,
        "isAdded": false
      },
      {
        "name": "flow",
        "parameter": "flow",
        "in": "body",
        "isJson": true,
        "isAdded": false
      },
      {
        "name": "correlationId",
        "parameter": "correlationId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverAt",
        "parameter": "deliverAt",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverUntil",
        "parameter": "deliverUntil",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "groupId",
        "parameter": "groupId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "newsletterId",
        "parameter": "newsletterId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "quotedMessageId",
        "parameter": "quotedMessageId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "idempotency-key",
        "parameter": "idempotencyKey",
        "in": "header",
        "isJson": false,
        "isAdded": true
      }
    ]
  },
  "message.sendList": {
    "method": "POST",
    "path": "/v1/messages/send",
    "items": null,
    "fields": [
      {
        "name": "destinationNumber",
        "parameter": "destinationNumber",
        "in": "body",
        "isJson": false,
        "isAdded": false
      },
      {
        "name": "list",
        "parameter": "list",
        "in": "body",
        "isJson": true,
        "isAdded": false
      },
      {
        "name": "correlationId",
        "parameter": "correlationId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverAt",
        "parameter": "deliverAt",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverUntil",
        "parameter": "deliverUntil",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "groupId",
        "parameter": "groupId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "newsletterId",
        "parameter": "newsletterId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "quotedMessageId",
        "parameter": "quotedMessageId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "idempotency-key",
        "parameter": "idempotencyKey",
        "in": "header",
        "isJson": false,
        "isAdded": true
      }
    ]
  },
  "message.sendLocation": {
    "method": "POST",
    "path": "/v1/messages/send",
    "items": null,
    "fields": [
      {
        "name": "destinationNumber",
        "parameter": "destinationNumber",
        "in": "body",
        "isJson": false,
        "isAdded": false
      },
      {
        "name": "location",
        "parameter": "location",
        "in": "body",
        "isJson": true,
        "isAdded": false
      },
      {
        "name": "correlationId",
        "parameter": "correlationId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverAt",
        "parameter": "deliverAt",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverUntil",
        "parameter": "deliverUntil",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "groupId",
        "parameter": "groupId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "newsletterId",
        "parameter": "newsletterId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "quotedMessageId",
        "parameter": "quotedMessageId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "idempotency-key",
        "parameter": "idempotencyKey",
        "in": "header",
        "isJson": false,
        "isAdded": true
      }
    ]
  },
  "message.sendPoll": {
    "method": "POST",
    "path": "/v1/messages/send",
    "items": null,
    "fields": [
      {
        "name": "destinationNumber",
        "parameter": "destinationNumber",
        "in": "body",
        "isJson": false,
        "isAdded": false
      },
      {
        "name": "poll",
        "parameter": "poll",
        "in": "body",
        "isJson": true,
        "isAdded": false
      },
      {
        "name": "correlationId",
        "parameter": "correlationId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverAt",
        "parameter": "deliverAt",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverUntil",
        "parameter": "deliverUntil",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "groupId",
        "parameter": "groupId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "newsletterId",
        "parameter": "newsletterId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "quotedMessageId",
        "parameter": "quotedMessageId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "idempotency-key",
        "parameter": "idempotencyKey",
        "in": "header",
        "isJson": false,
        "isAdded": true
      }
    ]
  },
  "message.sendReaction": {
    "method": "POST",
    "path": "/v1/messages/send",
    "items": null,
    "fields": [
      {
        "name": "destinationNumber",
        "parameter": "destinationNumber",
        "in": "body",
        "isJson": false,
        "isAdded": false
      },
      {
        "name": "reaction",
        "parameter": "reaction",
        "in": "body",
        "isJson": true,
        "isAdded": false
      },
      {
        "name": "correlationId",
        "parameter": "correlationId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverAt",
        "parameter": "deliverAt",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverUntil",
        "parameter": "deliverUntil",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "groupId",
        "parameter": "groupId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "newsletterId",
        "parameter": "newsletterId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "quotedMessageId",
        "parameter": "quotedMessageId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "idempotency-key",
        "parameter": "idempotencyKey",
        "in": "header",
        "isJson": false,
        "isAdded": true
      }
    ]
  },
  "message.requestContact": {
    "method": "POST",
    "path": "/v1/messages/send",
    "items": null,
    "fields": [
      {
        "name": "destinationNumber",
        "parameter": "destinationNumber",
        "in": "body",
        "isJson": false,
        "isAdded": false
      },
      {
        "name": "contactRequest",
        "parameter": "contactRequest",
        "in": "body",
        "isJson": true,
        "isAdded": false
      },
      {
        "name": "correlationId",
        "parameter": "correlationId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverAt",
        "parameter": "deliverAt",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "deliverUntil",
        "parameter": "deliverUntil",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "groupId",
        "parameter": "groupId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "newsletterId",
        "parameter": "newsletterId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "quotedMessageId",
        "parameter": "quotedMessageId",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "idempotency-key",
        "parameter": "idempotencyKey",
        "in": "header",
        "isJson": false,
        "isAdded": true
      }
    ]
  },
  "message.get": {
    "method": "GET",
    "path": "/v1/messages/{id}",
    "items": null,
    "fields": [
      {
        "name": "id",
        "parameter": "id",
        "in": "path",
        "isJson": false,
        "isAdded": false
      }
    ]
  },
  "message.getAll": {
    "method": "GET",
    "path": "/v1/messages/history",
    "items": "messages",
    "fields": [
      {
        "name": "startDate",
        "parameter": "startDate",
        "in": "query",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "endDate",
        "parameter": "endDate",
        "in": "query",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "page",
        "parameter": "page",
        "in": "query",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "pageSize",
        "parameter": "pageSize",
        "in": "query",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "direction",
        "parameter": "direction",
        "in": "query",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "peer",
        "parameter": "peer",
        "in": "query",
        "isJson": false,
        "isAdded": true
      }
    ]
  },
  "call.create": {
    "method": "POST",
    "path": "/v1/calls",
    "items": null,
    "fields": [
      {
        "name": "to",
        "parameter": "to",
        "in": "body",
        "isJson": false,
        "isAdded": false
      },
      {
        "name": "media",
        "parameter": "media",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "record",
        "parameter": "record",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "bizOpaqueCallbackData",
        "parameter": "bizOpaqueCallbackData",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "sdp",
        "parameter": "sdp",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "sdpType",
        "parameter": "sdpType",
        "in": "body",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "idempotency-key",
        "parameter": "idempotencyKey",
        "in": "header",
        "isJson": false,
        "isAdded": true
      }
    ]
  },
  "call.terminate": {
    "method": "POST",
    "path": "/v1/calls/{callId}/terminate",
    "items": null,
    "fields": [
      {
        "name": "callId",
        "parameter": "callId",
        "in": "path",
        "isJson": false,
        "isAdded": false
      }
    ]
  },
  "call.get": {
    "method": "GET",
    "path": "/v1/calls/{callId}",
    "items": null,
    "fields": [
      {
        "name": "callId",
        "parameter": "callId",
        "in": "path",
        "isJson": false,
        "isAdded": false
      },
      {
        "name": "includeSdp",
        "parameter": "includeSdp",
        "in": "query",
        "isJson": false,
        "isAdded": true
      }
    ]
  },
  "call.getAll": {
    "method": "GET",
    "path": "/v1/calls",
    "items": "calls",
    "fields": [
      {
        "name": "limit",
        "parameter": "limit",
        "in": "query",
        "isJson": false,
        "isAdded": true
      },
      {
        "name": "before",
        "parameter": "before",
        "in": "query",
        "isJson": false,
        "isAdded": true
      }
    ]
  }
}

export const properties: INodeProperties[] = [
  {
    "displayName": "Resource",
    "name": "resource",
    "type": "options",
    "noDataExpression": true,
    "default": "message",
    "options": [
      {
        "name": "Message",
        "value": "message"
      },
      {
        "name": "Call",
        "value": "call"
      }
    ]
  },
  {
    "displayName": "Operation",
    "name": "operation",
    "type": "options",
    "noDataExpression": true,
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ]
      }
    },
    "default": "sendText",
    "options": [
      {
        "name": "Get",
        "value": "get",
        "description": "Read what became of a message",
        "action": "Read what became of a message"
      },
      {
        "name": "Get Many",
        "value": "getAll",
        "description": "List messages, newest first",
        "action": "List messages"
      },
      {
        "name": "Request Contact",
        "value": "requestContact",
        "description": "Send a message",
        "action": "Request contact"
      },
      {
        "name": "Send Carousel",
        "value": "sendCarousel",
        "description": "Send a message",
        "action": "Send carousel"
      },
      {
        "name": "Send Contacts",
        "value": "sendContacts",
        "description": "Send a message",
        "action": "Send contacts"
      },
      {
        "name": "Send Flow",
        "value": "sendFlow",
        "description": "Send a message",
        "action": "Send flow"
      },
      {
        "name": "Send List",
        "value": "sendList",
        "description": "Send a message",
        "action": "Send list"
      },
      {
        "name": "Send Location",
        "value": "sendLocation",
        "description": "Send a message",
        "action": "Send location"
      },
      {
        "name": "Send Media",
        "value": "sendMedia",
        "description": "Send a message",
        "action": "Send media"
      },
      {
        "name": "Send Poll",
        "value": "sendPoll",
        "description": "Send a message",
        "action": "Send poll"
      },
      {
        "name": "Send Reaction",
        "value": "sendReaction",
        "description": "Send a message",
        "action": "Send reaction"
      },
      {
        "name": "Send Template",
        "value": "sendTemplate",
        "description": "Send a message",
        "action": "Send template"
      },
      {
        "name": "Send Text",
        "value": "sendText",
        "description": "Send a message",
        "action": "Send text"
      }
    ]
  },
  {
    "displayName": "Operation",
    "name": "operation",
    "type": "options",
    "noDataExpression": true,
    "displayOptions": {
      "show": {
        "resource": [
          "call"
        ]
      }
    },
    "default": "create",
    "options": [
      {
        "name": "End",
        "value": "terminate",
        "description": "End a call",
        "action": "End a call"
      },
      {
        "name": "Get",
        "value": "get",
        "description": "Read a call",
        "action": "Read a call"
      },
      {
        "name": "Get Many",
        "value": "getAll",
        "description": "List calls, newest first",
        "action": "List calls"
      },
      {
        "name": "Place",
        "value": "create",
        "description": "Place a call",
        "action": "Place a call"
      }
    ]
  },
  {
    "displayName": "Destination Number",
    "name": "destinationNumber",
    "type": "string",
    "default": "",
    "description": "Phone number with country code, 8 to 15 digits; `+`, `00`, spaces, dashes and brackets are accepted, in any script's digits. Of a person who hides the number: the id, on OFFICIAL numbers that of upstream (`US.13491208655302741918`), on UNOFFICIAL ones that of the device network (`123456789012345@lid`)",
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendText"
        ]
      }
    }
  },
  {
    "displayName": "Text",
    "name": "text",
    "type": "string",
    "default": "",
    "description": "With buttons on OFFICIAL numbers 1024 characters at most",
    "required": true,
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendText"
        ]
      }
    }
  },
  {
    "displayName": "Additional Fields",
    "name": "additionalFields",
    "type": "collection",
    "placeholder": "Add Field",
    "default": {},
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendText"
        ]
      }
    },
    "options": [
      {
        "displayName": "Buttons",
        "name": "buttons",
        "type": "json",
        "default": "[\n  {\n    \"type\": \"QUICK_REPLY\",\n    \"text\": \"Yes, please\",\n    \"id\": \"yes\"\n  },\n  {\n    \"type\": \"QUICK_REPLY\",\n    \"text\": \"Tomorrow\",\n    \"id\": \"no\"\n  }\n]",
        "description": "With `text`. OFFICIAL numbers: 1 to 3 QUICK_REPLY, or one URL"
      },
      {
        "displayName": "Correlation ID",
        "name": "correlationId",
        "type": "string",
        "default": "",
        "description": "Yours; the id of the message when absent"
      },
      {
        "displayName": "Deliver At",
        "name": "deliverAt",
        "type": "string",
        "default": "",
        "description": "Not before; at most 30 days ahead"
      },
      {
        "displayName": "Deliver Until",
        "name": "deliverUntil",
        "type": "string",
        "default": "",
        "description": "Not after: the message fails with EXPIRED_AFTER_ATTEMPTS"
      },
      {
        "displayName": "Footer",
        "name": "footer",
        "type": "string",
        "default": "",
        "description": "With `buttons`"
      },
      {
        "displayName": "Group ID",
        "name": "groupId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Header",
        "name": "header",
        "type": "string",
        "default": "",
        "description": "With `buttons`"
      },
      {
        "displayName": "Idempotency Key",
        "name": "idempotencyKey",
        "type": "string",
        "default": "",
        "description": "The same key with the same body answers the first answer again for 24 h"
      },
      {
        "displayName": "Newsletter ID",
        "name": "newsletterId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Quoted Message ID",
        "name": "quotedMessageId",
        "type": "string",
        "default": "",
        "description": "Message to reply to: service id or upstream id"
      }
    ]
  },
  {
    "displayName": "Destination Number",
    "name": "destinationNumber",
    "type": "string",
    "default": "",
    "description": "Phone number with country code, 8 to 15 digits; `+`, `00`, spaces, dashes and brackets are accepted, in any script's digits. Of a person who hides the number: the id, on OFFICIAL numbers that of upstream (`US.13491208655302741918`), on UNOFFICIAL ones that of the device network (`123456789012345@lid`)",
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendTemplate"
        ]
      }
    }
  },
  {
    "displayName": "Template ID",
    "name": "templateId",
    "type": "string",
    "default": "",
    "description": "Id or name of a template",
    "required": true,
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendTemplate"
        ]
      }
    }
  },
  {
    "displayName": "Additional Fields",
    "name": "additionalFields",
    "type": "collection",
    "placeholder": "Add Field",
    "default": {},
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendTemplate"
        ]
      }
    },
    "options": [
      {
        "displayName": "Cards",
        "name": "cards",
        "type": "json",
        "default": "[\n  {\n    \"variables\": {\n      \"1\": \"R$ 99\"\n    }\n  },\n  {\n    \"variables\": {\n      \"1\": \"R$ 79\"\n    },\n    \"media\": {\n      \"url\": \"https://example.com/shirt.png\"\n    }\n  }\n]",
        "description": "With `templateId` of a carousel: as many as the template has"
      },
      {
        "displayName": "Correlation ID",
        "name": "correlationId",
        "type": "string",
        "default": "",
        "description": "Yours; the id of the message when absent"
      },
      {
        "displayName": "Deliver At",
        "name": "deliverAt",
        "type": "string",
        "default": "",
        "description": "Not before; at most 30 days ahead"
      },
      {
        "displayName": "Deliver Until",
        "name": "deliverUntil",
        "type": "string",
        "default": "",
        "description": "Not after: the message fails with EXPIRED_AFTER_ATTEMPTS"
      },
      {
        "displayName": "Flow",
        "name": "flow",
        "type": "json",
        "default": "{\n  \"flowId\": \"flow_01kb0000000000000000000000\",\n  \"text\": \"Book a table\",\n  \"cta\": \"Book\",\n  \"screen\": \"START\",\n  \"data\": {\n    \"guests\": 2\n  }\n}",
        "description": "OFFICIAL numbers: a Flow, with `flowId`, `text` and `cta`. With `templateId` of a template with a Flow: `data` and `token` alone"
      },
      {
        "displayName": "Group ID",
        "name": "groupId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Idempotency Key",
        "name": "idempotencyKey",
        "type": "string",
        "default": "",
        "description": "The same key with the same body answers the first answer again for 24 h"
      },
      {
        "displayName": "Language",
        "name": "language",
        "type": "string",
        "default": "",
        "description": "With `templateId`: which one, where languages share its name"
      },
      {
        "displayName": "Media",
        "name": "media",
        "type": "string",
        "default": "",
        "description": "http(s) URL, or data URI `data:image/png;base64,...`; with `templateId` in place of the header's file"
      },
      {
        "displayName": "Media Filename",
        "name": "mediaFilename",
        "type": "string",
        "default": "",
        "description": "Shown with a document"
      },
      {
        "displayName": "Newsletter ID",
        "name": "newsletterId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Quoted Message ID",
        "name": "quotedMessageId",
        "type": "string",
        "default": "",
        "description": "Message to reply to: service id or upstream id"
      },
      {
        "displayName": "Variables",
        "name": "variables",
        "type": "json",
        "default": "{\n  \"name\": \"Ana\",\n  \"button_2\": \"4711?from=chat\"\n}",
        "description": "With `templateId`: a text or a number for each of the template's `variables`"
      }
    ]
  },
  {
    "displayName": "Destination Number",
    "name": "destinationNumber",
    "type": "string",
    "default": "",
    "description": "Phone number with country code, 8 to 15 digits; `+`, `00`, spaces, dashes and brackets are accepted, in any script's digits. Of a person who hides the number: the id, on OFFICIAL numbers that of upstream (`US.13491208655302741918`), on UNOFFICIAL ones that of the device network (`123456789012345@lid`)",
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendMedia"
        ]
      }
    }
  },
  {
    "displayName": "Media Type",
    "name": "mediaType",
    "type": "options",
    "default": "image",
    "options": [
      {
        "name": "Image",
        "value": "image"
      },
      {
        "name": "Video",
        "value": "video"
      },
      {
        "name": "Document",
        "value": "document"
      },
      {
        "name": "Audio",
        "value": "audio"
      },
      {
        "name": "Voice",
        "value": "voice"
      },
      {
        "name": "Sticker",
        "value": "sticker"
      }
    ],
    "description": "Needed with `media`, but for templates: there it is the kind of the header",
    "required": true,
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendMedia"
        ]
      }
    }
  },
  {
    "displayName": "Media",
    "name": "media",
    "type": "string",
    "default": "",
    "description": "http(s) URL, or data URI `data:image/png;base64,...`; with `templateId` in place of the header's file",
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendMedia"
        ]
      }
    }
  },
  {
    "displayName": "Additional Fields",
    "name": "additionalFields",
    "type": "collection",
    "placeholder": "Add Field",
    "default": {},
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendMedia"
        ]
      }
    },
    "options": [
      {
        "displayName": "Caption",
        "name": "caption",
        "type": "string",
        "default": "",
        "description": "Of image, video and document"
      },
      {
        "displayName": "Correlation ID",
        "name": "correlationId",
        "type": "string",
        "default": "",
        "description": "Yours; the id of the message when absent"
      },
      {
        "displayName": "Deliver At",
        "name": "deliverAt",
        "type": "string",
        "default": "",
        "description": "Not before; at most 30 days ahead"
      },
      {
        "displayName": "Deliver Until",
        "name": "deliverUntil",
        "type": "string",
        "default": "",
        "description": "Not after: the message fails with EXPIRED_AFTER_ATTEMPTS"
      },
      {
        "displayName": "Group ID",
        "name": "groupId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Idempotency Key",
        "name": "idempotencyKey",
        "type": "string",
        "default": "",
        "description": "The same key with the same body answers the first answer again for 24 h"
      },
      {
        "displayName": "Media Filename",
        "name": "mediaFilename",
        "type": "string",
        "default": "",
        "description": "Shown with a document"
      },
      {
        "displayName": "Newsletter ID",
        "name": "newsletterId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Quoted Message ID",
        "name": "quotedMessageId",
        "type": "string",
        "default": "",
        "description": "Message to reply to: service id or upstream id"
      }
    ]
  },
  {
    "displayName": "Destination Number",
    "name": "destinationNumber",
    "type": "string",
    "default": "",
    "description": "Phone number with country code, 8 to 15 digits; `+`, `00`, spaces, dashes and brackets are accepted, in any script's digits. Of a person who hides the number: the id, on OFFICIAL numbers that of upstream (`US.13491208655302741918`), on UNOFFICIAL ones that of the device network (`123456789012345@lid`)",
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendCarousel"
        ]
      }
    }
  },
  {
    "displayName": "Carousel",
    "name": "carousel",
    "type": "json",
    "default": "{\n  \"text\": \"New this week\",\n  \"cards\": [\n    {\n      \"image\": \"https://example.com/shoe.jpg\",\n      \"text\": \"Running shoe\",\n      \"buttons\": [\n        {\n          \"type\": \"QUICK_REPLY\",\n          \"text\": \"I want it\",\n          \"id\": \"shoe\"\n        }\n      ]\n    },\n    {\n      \"image\": \"https://example.com/shirt.jpg\",\n      \"text\": \"Shirt\",\n      \"buttons\": [\n        {\n          \"type\": \"QUICK_REPLY\",\n          \"text\": \"I want it\",\n          \"id\": \"shirt\"\n        }\n      ]\n    }\n  ]\n}",
    "required": true,
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendCarousel"
        ]
      }
    }
  },
  {
    "displayName": "Additional Fields",
    "name": "additionalFields",
    "type": "collection",
    "placeholder": "Add Field",
    "default": {},
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendCarousel"
        ]
      }
    },
    "options": [
      {
        "displayName": "Correlation ID",
        "name": "correlationId",
        "type": "string",
        "default": "",
        "description": "Yours; the id of the message when absent"
      },
      {
        "displayName": "Deliver At",
        "name": "deliverAt",
        "type": "string",
        "default": "",
        "description": "Not before; at most 30 days ahead"
      },
      {
        "displayName": "Deliver Until",
        "name": "deliverUntil",
        "type": "string",
        "default": "",
        "description": "Not after: the message fails with EXPIRED_AFTER_ATTEMPTS"
      },
      {
        "displayName": "Group ID",
        "name": "groupId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Idempotency Key",
        "name": "idempotencyKey",
        "type": "string",
        "default": "",
        "description": "The same key with the same body answers the first answer again for 24 h"
      },
      {
        "displayName": "Newsletter ID",
        "name": "newsletterId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Quoted Message ID",
        "name": "quotedMessageId",
        "type": "string",
        "default": "",
        "description": "Message to reply to: service id or upstream id"
      }
    ]
  },
  {
    "displayName": "Destination Number",
    "name": "destinationNumber",
    "type": "string",
    "default": "",
    "description": "Phone number with country code, 8 to 15 digits; `+`, `00`, spaces, dashes and brackets are accepted, in any script's digits. Of a person who hides the number: the id, on OFFICIAL numbers that of upstream (`US.13491208655302741918`), on UNOFFICIAL ones that of the device network (`123456789012345@lid`)",
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendContacts"
        ]
      }
    }
  },
  {
    "displayName": "Contacts",
    "name": "contacts",
    "type": "json",
    "default": "[\n  {\n    \"name\": {\n      \"formatted\": \"Ana Souza\",\n      \"first\": \"Ana\",\n      \"last\": \"Souza\"\n    },\n    \"phones\": [\n      {\n        \"phone\": \"+55 11 99999-0002\",\n        \"type\": \"WORK\"\n      }\n    ],\n    \"emails\": [\n      \"ana@example.com\"\n    ],\n    \"org\": \"Acme\"\n  }\n]",
    "description": "Cards of 1 to 10 people",
    "required": true,
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendContacts"
        ]
      }
    }
  },
  {
    "displayName": "Additional Fields",
    "name": "additionalFields",
    "type": "collection",
    "placeholder": "Add Field",
    "default": {},
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendContacts"
        ]
      }
    },
    "options": [
      {
        "displayName": "Correlation ID",
        "name": "correlationId",
        "type": "string",
        "default": "",
        "description": "Yours; the id of the message when absent"
      },
      {
        "displayName": "Deliver At",
        "name": "deliverAt",
        "type": "string",
        "default": "",
        "description": "Not before; at most 30 days ahead"
      },
      {
        "displayName": "Deliver Until",
        "name": "deliverUntil",
        "type": "string",
        "default": "",
        "description": "Not after: the message fails with EXPIRED_AFTER_ATTEMPTS"
      },
      {
        "displayName": "Group ID",
        "name": "groupId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Idempotency Key",
        "name": "idempotencyKey",
        "type": "string",
        "default": "",
        "description": "The same key with the same body answers the first answer again for 24 h"
      },
      {
        "displayName": "Newsletter ID",
        "name": "newsletterId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Quoted Message ID",
        "name": "quotedMessageId",
        "type": "string",
        "default": "",
        "description": "Message to reply to: service id or upstream id"
      }
    ]
  },
  {
    "displayName": "Destination Number",
    "name": "destinationNumber",
    "type": "string",
    "default": "",
    "description": "Phone number with country code, 8 to 15 digits; `+`, `00`, spaces, dashes and brackets are accepted, in any script's digits. Of a person who hides the number: the id, on OFFICIAL numbers that of upstream (`US.13491208655302741918`), on UNOFFICIAL ones that of the device network (`123456789012345@lid`)",
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendFlow"
        ]
      }
    }
  },
  {
    "displayName": "Flow",
    "name": "flow",
    "type": "json",
    "default": "{\n  \"flowId\": \"flow_01kb0000000000000000000000\",\n  \"text\": \"Book a table\",\n  \"cta\": \"Book\",\n  \"screen\": \"START\",\n  \"data\": {\n    \"guests\": 2\n  }\n}",
    "description": "OFFICIAL numbers: a Flow, with `flowId`, `text` and `cta`. With `templateId` of a template with a Flow: `data` and `token` alone",
    "required": true,
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendFlow"
        ]
      }
    }
  },
  {
    "displayName": "Additional Fields",
    "name": "additionalFields",
    "type": "collection",
    "placeholder": "Add Field",
    "default": {},
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendFlow"
        ]
      }
    },
    "options": [
      {
        "displayName": "Correlation ID",
        "name": "correlationId",
        "type": "string",
        "default": "",
        "description": "Yours; the id of the message when absent"
      },
      {
        "displayName": "Deliver At",
        "name": "deliverAt",
        "type": "string",
        "default": "",
        "description": "Not before; at most 30 days ahead"
      },
      {
        "displayName": "Deliver Until",
        "name": "deliverUntil",
        "type": "string",
        "default": "",
        "description": "Not after: the message fails with EXPIRED_AFTER_ATTEMPTS"
      },
      {
        "displayName": "Group ID",
        "name": "groupId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Idempotency Key",
        "name": "idempotencyKey",
        "type": "string",
        "default": "",
        "description": "The same key with the same body answers the first answer again for 24 h"
      },
      {
        "displayName": "Newsletter ID",
        "name": "newsletterId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Quoted Message ID",
        "name": "quotedMessageId",
        "type": "string",
        "default": "",
        "description": "Message to reply to: service id or upstream id"
      }
    ]
  },
  {
    "displayName": "Destination Number",
    "name": "destinationNumber",
    "type": "string",
    "default": "",
    "description": "Phone number with country code, 8 to 15 digits; `+`, `00`, spaces, dashes and brackets are accepted, in any script's digits. Of a person who hides the number: the id, on OFFICIAL numbers that of upstream (`US.13491208655302741918`), on UNOFFICIAL ones that of the device network (`123456789012345@lid`)",
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendList"
        ]
      }
    }
  },
  {
    "displayName": "List",
    "name": "list",
    "type": "json",
    "default": "{\n  \"text\": \"When shall we deliver?\",\n  \"button\": \"Times\",\n  \"sections\": [\n    {\n      \"rows\": [\n        {\n          \"id\": \"morning\",\n          \"title\": \"Morning\",\n          \"description\": \"8 to 12\"\n        },\n        {\n          \"id\": \"evening\",\n          \"title\": \"Evening\",\n          \"description\": \"18 to 21\"\n        }\n      ]\n    }\n  ]\n}",
    "description": "Rows to choose from, at most 10 over all sections, their titles and ids all different. UNOFFICIAL numbers: sent as numbered text where the network shows no lists, which `notice` says",
    "required": true,
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendList"
        ]
      }
    }
  },
  {
    "displayName": "Additional Fields",
    "name": "additionalFields",
    "type": "collection",
    "placeholder": "Add Field",
    "default": {},
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendList"
        ]
      }
    },
    "options": [
      {
        "displayName": "Correlation ID",
        "name": "correlationId",
        "type": "string",
        "default": "",
        "description": "Yours; the id of the message when absent"
      },
      {
        "displayName": "Deliver At",
        "name": "deliverAt",
        "type": "string",
        "default": "",
        "description": "Not before; at most 30 days ahead"
      },
      {
        "displayName": "Deliver Until",
        "name": "deliverUntil",
        "type": "string",
        "default": "",
        "description": "Not after: the message fails with EXPIRED_AFTER_ATTEMPTS"
      },
      {
        "displayName": "Group ID",
        "name": "groupId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Idempotency Key",
        "name": "idempotencyKey",
        "type": "string",
        "default": "",
        "description": "The same key with the same body answers the first answer again for 24 h"
      },
      {
        "displayName": "Newsletter ID",
        "name": "newsletterId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Quoted Message ID",
        "name": "quotedMessageId",
        "type": "string",
        "default": "",
        "description": "Message to reply to: service id or upstream id"
      }
    ]
  },
  {
    "displayName": "Destination Number",
    "name": "destinationNumber",
    "type": "string",
    "default": "",
    "description": "Phone number with country code, 8 to 15 digits; `+`, `00`, spaces, dashes and brackets are accepted, in any script's digits. Of a person who hides the number: the id, on OFFICIAL numbers that of upstream (`US.13491208655302741918`), on UNOFFICIAL ones that of the device network (`123456789012345@lid`)",
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendLocation"
        ]
      }
    }
  },
  {
    "displayName": "Location",
    "name": "location",
    "type": "json",
    "default": "{\n  \"latitude\": -23.5614,\n  \"longitude\": -46.6559,\n  \"name\": \"Acme\",\n  \"address\": \"Avenida Paulista 1578, São Paulo\"\n}",
    "description": "A place on the map",
    "required": true,
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendLocation"
        ]
      }
    }
  },
  {
    "displayName": "Additional Fields",
    "name": "additionalFields",
    "type": "collection",
    "placeholder": "Add Field",
    "default": {},
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendLocation"
        ]
      }
    },
    "options": [
      {
        "displayName": "Correlation ID",
        "name": "correlationId",
        "type": "string",
        "default": "",
        "description": "Yours; the id of the message when absent"
      },
      {
        "displayName": "Deliver At",
        "name": "deliverAt",
        "type": "string",
        "default": "",
        "description": "Not before; at most 30 days ahead"
      },
      {
        "displayName": "Deliver Until",
        "name": "deliverUntil",
        "type": "string",
        "default": "",
        "description": "Not after: the message fails with EXPIRED_AFTER_ATTEMPTS"
      },
      {
        "displayName": "Group ID",
        "name": "groupId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Idempotency Key",
        "name": "idempotencyKey",
        "type": "string",
        "default": "",
        "description": "The same key with the same body answers the first answer again for 24 h"
      },
      {
        "displayName": "Newsletter ID",
        "name": "newsletterId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Quoted Message ID",
        "name": "quotedMessageId",
        "type": "string",
        "default": "",
        "description": "Message to reply to: service id or upstream id"
      }
    ]
  },
  {
    "displayName": "Destination Number",
    "name": "destinationNumber",
    "type": "string",
    "default": "",
    "description": "Phone number with country code, 8 to 15 digits; `+`, `00`, spaces, dashes and brackets are accepted, in any script's digits. Of a person who hides the number: the id, on OFFICIAL numbers that of upstream (`US.13491208655302741918`), on UNOFFICIAL ones that of the device network (`123456789012345@lid`)",
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendPoll"
        ]
      }
    }
  },
  {
    "displayName": "Poll",
    "name": "poll",
    "type": "json",
    "default": "{\n  \"question\": \"When shall we meet?\",\n  \"options\": [\n    \"Monday\",\n    \"Tuesday\"\n  ]\n}",
    "description": "UNOFFICIAL numbers: votes are told by message.poll_vote",
    "required": true,
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendPoll"
        ]
      }
    }
  },
  {
    "displayName": "Additional Fields",
    "name": "additionalFields",
    "type": "collection",
    "placeholder": "Add Field",
    "default": {},
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendPoll"
        ]
      }
    },
    "options": [
      {
        "displayName": "Correlation ID",
        "name": "correlationId",
        "type": "string",
        "default": "",
        "description": "Yours; the id of the message when absent"
      },
      {
        "displayName": "Deliver At",
        "name": "deliverAt",
        "type": "string",
        "default": "",
        "description": "Not before; at most 30 days ahead"
      },
      {
        "displayName": "Deliver Until",
        "name": "deliverUntil",
        "type": "string",
        "default": "",
        "description": "Not after: the message fails with EXPIRED_AFTER_ATTEMPTS"
      },
      {
        "displayName": "Group ID",
        "name": "groupId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Idempotency Key",
        "name": "idempotencyKey",
        "type": "string",
        "default": "",
        "description": "The same key with the same body answers the first answer again for 24 h"
      },
      {
        "displayName": "Newsletter ID",
        "name": "newsletterId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Quoted Message ID",
        "name": "quotedMessageId",
        "type": "string",
        "default": "",
        "description": "Message to reply to: service id or upstream id"
      }
    ]
  },
  {
    "displayName": "Destination Number",
    "name": "destinationNumber",
    "type": "string",
    "default": "",
    "description": "Phone number with country code, 8 to 15 digits; `+`, `00`, spaces, dashes and brackets are accepted, in any script's digits. Of a person who hides the number: the id, on OFFICIAL numbers that of upstream (`US.13491208655302741918`), on UNOFFICIAL ones that of the device network (`123456789012345@lid`)",
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendReaction"
        ]
      }
    }
  },
  {
    "displayName": "Reaction",
    "name": "reaction",
    "type": "json",
    "default": "{\n  \"messageId\": \"msg_01kb0000000000000000000000\",\n  \"emoji\": \"👍\"\n}",
    "description": "Goes to the chat of its message: a destination may be left out, and must be that chat when given",
    "required": true,
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendReaction"
        ]
      }
    }
  },
  {
    "displayName": "Additional Fields",
    "name": "additionalFields",
    "type": "collection",
    "placeholder": "Add Field",
    "default": {},
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "sendReaction"
        ]
      }
    },
    "options": [
      {
        "displayName": "Correlation ID",
        "name": "correlationId",
        "type": "string",
        "default": "",
        "description": "Yours; the id of the message when absent"
      },
      {
        "displayName": "Deliver At",
        "name": "deliverAt",
        "type": "string",
        "default": "",
        "description": "Not before; at most 30 days ahead"
      },
      {
        "displayName": "Deliver Until",
        "name": "deliverUntil",
        "type": "string",
        "default": "",
        "description": "Not after: the message fails with EXPIRED_AFTER_ATTEMPTS"
      },
      {
        "displayName": "Group ID",
        "name": "groupId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Idempotency Key",
        "name": "idempotencyKey",
        "type": "string",
        "default": "",
        "description": "The same key with the same body answers the first answer again for 24 h"
      },
      {
        "displayName": "Newsletter ID",
        "name": "newsletterId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Quoted Message ID",
        "name": "quotedMessageId",
        "type": "string",
        "default": "",
        "description": "Message to reply to: service id or upstream id"
      }
    ]
  },
  {
    "displayName": "Destination Number",
    "name": "destinationNumber",
    "type": "string",
    "default": "",
    "description": "Phone number with country code, 8 to 15 digits; `+`, `00`, spaces, dashes and brackets are accepted, in any script's digits. Of a person who hides the number: the id, on OFFICIAL numbers that of upstream (`US.13491208655302741918`), on UNOFFICIAL ones that of the device network (`123456789012345@lid`)",
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "requestContact"
        ]
      }
    }
  },
  {
    "displayName": "Contact Request",
    "name": "contactRequest",
    "type": "json",
    "default": "{\n  \"text\": \"May we call you about your order?\"\n}",
    "description": "OFFICIAL numbers: asks a user who hides the number for it",
    "required": true,
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "requestContact"
        ]
      }
    }
  },
  {
    "displayName": "Additional Fields",
    "name": "additionalFields",
    "type": "collection",
    "placeholder": "Add Field",
    "default": {},
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "requestContact"
        ]
      }
    },
    "options": [
      {
        "displayName": "Correlation ID",
        "name": "correlationId",
        "type": "string",
        "default": "",
        "description": "Yours; the id of the message when absent"
      },
      {
        "displayName": "Deliver At",
        "name": "deliverAt",
        "type": "string",
        "default": "",
        "description": "Not before; at most 30 days ahead"
      },
      {
        "displayName": "Deliver Until",
        "name": "deliverUntil",
        "type": "string",
        "default": "",
        "description": "Not after: the message fails with EXPIRED_AFTER_ATTEMPTS"
      },
      {
        "displayName": "Group ID",
        "name": "groupId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Idempotency Key",
        "name": "idempotencyKey",
        "type": "string",
        "default": "",
        "description": "The same key with the same body answers the first answer again for 24 h"
      },
      {
        "displayName": "Newsletter ID",
        "name": "newsletterId",
        "type": "string",
        "default": "",
        "description": "UNOFFICIAL numbers"
      },
      {
        "displayName": "Quoted Message ID",
        "name": "quotedMessageId",
        "type": "string",
        "default": "",
        "description": "Message to reply to: service id or upstream id"
      }
    ]
  },
  {
    "displayName": "ID",
    "name": "id",
    "type": "string",
    "default": "",
    "description": "Service id, correlationId or upstream id",
    "required": true,
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "get"
        ]
      }
    }
  },
  {
    "displayName": "Additional Fields",
    "name": "additionalFields",
    "type": "collection",
    "placeholder": "Add Field",
    "default": {},
    "displayOptions": {
      "show": {
        "resource": [
          "message"
        ],
        "operation": [
          "getAll"
        ]
      }
    },
    "options": [
      {
        "displayName": "Direction",
        "name": "direction",
        "type": "options",
        "default": "INBOUND",
        "options": [
          {
            "name": "INBOUND",
            "value": "INBOUND"
          },
          {
            "name": "OUTBOUND",
            "value": "OUTBOUND"
          }
        ],
        "description": "Default INBOUND"
      },
      {
        "displayName": "End Date",
        "name": "endDate",
        "type": "string",
        "default": "",
        "description": "Until then, a date with its whole day"
      },
      {
        "displayName": "Page",
        "name": "page",
        "type": "number",
        "default": 1,
        "description": "From 1, the default"
      },
      {
        "displayName": "Page Size",
        "name": "pageSize",
        "type": "number",
        "default": 1,
        "description": "Default 30; more than 100 is read as 100"
      },
      {
        "displayName": "Peer",
        "name": "peer",
        "type": "string",
        "default": "",
        "description": "Phone number, group id or channel id, or the id of a person who hides the number"
      },
      {
        "displayName": "Start Date",
        "name": "startDate",
        "type": "string",
        "default": "",
        "description": "From then on"
      }
    ]
  },
  {
    "displayName": "To",
    "name": "to",
    "type": "string",
    "default": "",
    "description": "Phone number with country code, 8 to 15 digits; `+`, `00`, spaces, dashes and brackets are accepted, in any script's digits. Of a person who hides the number: the id, on OFFICIAL numbers that of upstream (`US.13491208655302741918`), on UNOFFICIAL ones that of the device network (`123456789012345@lid`)",
    "required": true,
    "displayOptions": {
      "show": {
        "resource": [
          "call"
        ],
        "operation": [
          "create"
        ]
      }
    }
  },
  {
    "displayName": "Additional Fields",
    "name": "additionalFields",
    "type": "collection",
    "placeholder": "Add Field",
    "default": {},
    "displayOptions": {
      "show": {
        "resource": [
          "call"
        ],
        "operation": [
          "create"
        ]
      }
    },
    "options": [
      {
        "displayName": "Biz Opaque Callback Data",
        "name": "bizOpaqueCallbackData",
        "type": "string",
        "default": ""
      },
      {
        "displayName": "Idempotency Key",
        "name": "idempotencyKey",
        "type": "string",
        "default": "",
        "description": "The same key with the same body answers the first answer again for 24 h"
      },
      {
        "displayName": "Media",
        "name": "media",
        "type": "options",
        "default": "bridge",
        "options": [
          {
            "name": "Bridge",
            "value": "bridge"
          }
        ],
        "description": "OFFICIAL numbers: `bridge` has the service carry the audio, in place of an `sdp` of yours. It does so for every UNOFFICIAL number"
      },
      {
        "displayName": "Record",
        "name": "record",
        "type": "boolean",
        "default": false,
        "description": "Has the call recorded from its answer on, where the service carries its audio"
      },
      {
        "displayName": "SDP",
        "name": "sdp",
        "type": "string",
        "default": "",
        "description": "OFFICIAL numbers: the offer (RFC 8866), with `a=setup:active`. Refused on UNOFFICIAL numbers"
      },
      {
        "displayName": "SDP Type",
        "name": "sdpType",
        "type": "options",
        "default": "offer",
        "options": [
          {
            "name": "Offer",
            "value": "offer"
          }
        ],
        "description": "OFFICIAL numbers: `offer`, also when absent. Refused on UNOFFICIAL numbers"
      }
    ]
  },
  {
    "displayName": "Call ID",
    "name": "callId",
    "type": "string",
    "default": "",
    "description": "Service call id or provider call id",
    "required": true,
    "displayOptions": {
      "show": {
        "resource": [
          "call"
        ],
        "operation": [
          "terminate"
        ]
      }
    }
  },
  {
    "displayName": "Call ID",
    "name": "callId",
    "type": "string",
    "default": "",
    "description": "Service call id or provider call id",
    "required": true,
    "displayOptions": {
      "show": {
        "resource": [
          "call"
        ],
        "operation": [
          "get"
        ]
      }
    }
  },
  {
    "displayName": "Additional Fields",
    "name": "additionalFields",
    "type": "collection",
    "placeholder": "Add Field",
    "default": {},
    "displayOptions": {
      "show": {
        "resource": [
          "call"
        ],
        "operation": [
          "get"
        ]
      }
    },
    "options": [
      {
        "displayName": "Include SDP",
        "name": "includeSdp",
        "type": "string",
        "default": "",
        "description": "1 adds sdpOffer and sdpAnswer"
      }
    ]
  },
  {
    "displayName": "Additional Fields",
    "name": "additionalFields",
    "type": "collection",
    "placeholder": "Add Field",
    "default": {},
    "displayOptions": {
      "show": {
        "resource": [
          "call"
        ],
        "operation": [
          "getAll"
        ]
      }
    },
    "options": [
      {
        "displayName": "Before",
        "name": "before",
        "type": "string",
        "default": "",
        "description": "Only calls created before this moment, or before this day in UTC"
      },
      {
        "displayName": "Limit",
        "name": "limit",
        "type": "number",
        "default": 1,
        "description": "Default 25"
      }
    ]
  }
]
