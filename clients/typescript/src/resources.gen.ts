// Made by `npm run clients` of the OpenAPI and the AsyncAPI document; changes are lost.
import type { RequestOptions, Send } from './request.ts'
import type {
  AcceptCallData,
  AcceptCallResponse,
  AddGroupParticipantsData,
  AddGroupParticipantsResponse,
  CancelBatchResponse,
  CancelMessagesData,
  CancelMessagesResponse,
  ChangeBrandingData,
  ChangeBrandingResponse,
  CheckNumbersData,
  CheckNumbersResponse,
  ConnectNumberData,
  ConnectNumberResponse,
  CreateCannedReplyData,
  CreateCannedReplyResponse,
  CreateEmbedSessionData,
  CreateEmbedSessionResponse,
  CreateFlowData,
  CreateFlowResponse,
  CreateGroupData,
  CreateGroupResponse,
  CreateNumberData,
  CreateNumberResponse,
  CreateOfficialNumberData,
  CreateOfficialNumberResponse,
  CreateRemotePairingData,
  CreateRemotePairingResponse,
  CreateTemplateData,
  CreateTemplateResponse,
  CreateUserData,
  CreateUserResponse,
  CreateWebhookData,
  CreateWebhookResponse,
  DeleteCannedReplyResponse,
  DeleteFlowData,
  DeleteFlowResponse,
  DeleteNumberResponse,
  DeleteRecordingResponse,
  DeleteTemplateData,
  DeleteTemplateResponse,
  DeleteWebhookResponse,
  DeprecateFlowData,
  DeprecateFlowResponse,
  DownloadMediaData,
  DownloadMediaResponse,
  EditMessageData,
  EditMessageResponse,
  EraseLeadResponse,
  GetAdAccessResponse,
  GetBatchResponse,
  GetBrandingResponse,
  GetCallData,
  GetCallPermissionsData,
  GetCallPermissionsResponse,
  GetCallResponse,
  GetCallSettingsResponse,
  GetFlowData,
  GetFlowDocumentResponse,
  GetFlowResponse,
  GetGroupResponse,
  GetLeadBackfillResponse,
  GetLeadPageData,
  GetLeadPageResponse,
  GetLeadResponse,
  GetMessageResponse,
  GetNumberConnectionResponse,
  GetNumberData,
  GetNumberLimitsResponse,
  GetNumberResponse,
  GetPairingCodeData,
  GetPairingCodeResponse,
  GetStatusResponse,
  GetSubscriptionResponse,
  GetTemplateData,
  GetTemplateResponse,
  GetUsageData,
  GetUsageResponse,
  GetUserResponse,
  GetWebhookResponse,
  InviteUserResponse,
  LinkLeadPageData,
  LinkLeadPageResponse,
  ListApiKeysResponse,
  ListCallsData,
  ListCallsResponse,
  ListCannedRepliesResponse,
  ListConversationsData,
  ListConversationsResponse,
  ListEmbedSessionsResponse,
  ListEventsData,
  ListEventsResponse,
  ListFlowResponsesData,
  ListFlowResponsesResponse,
  ListFlowsData,
  ListFlowsResponse,
  ListGroupMessagesData,
  ListGroupMessagesResponse,
  ListGroupsResponse,
  ListLeadFormsResponse,
  ListLeadPagesData,
  ListLeadPagesResponse,
  ListLeadsData,
  ListLeadsResponse,
  ListMessagesData,
  ListMessagesResponse,
  ListNewslettersResponse,
  ListNumbersData,
  ListNumbersResponse,
  ListReferralsData,
  ListReferralsResponse,
  ListTemplatesData,
  ListTemplatesResponse,
  ListUnreadMessagesData,
  ListUnreadMessagesResponse,
  ListUsersResponse,
  ListWebhookLogsData,
  ListWebhookLogsResponse,
  ListWebhooksResponse,
  LogoutNumberResponse,
  MarkMessagesReadData,
  MarkMessagesReadResponse,
  OpenRealtimeSessionData,
  OpenRealtimeSessionResponse,
  PlaceCallData,
  PlaceCallResponse,
  PlayOnCallData,
  PlayOnCallResponse,
  PreAcceptCallData,
  PreAcceptCallResponse,
  PreviewTemplateData,
  PreviewTemplateResponse,
  PublishFlowData,
  PublishFlowResponse,
  RedeliverFailedData,
  RedeliverFailedResponse,
  RedeliverWebhookLogResponse,
  RegenerateApiKeyResponse,
  RejectCallResponse,
  RemoveAdAccessResponse,
  RemoveGroupParticipantsData,
  RemoveGroupParticipantsResponse,
  RemoveUserResponse,
  ReplaceApiKeyData,
  ReplaceApiKeyResponse,
  RequestCallPermissionData,
  RequestCallPermissionResponse,
  RevokeEmbedSessionResponse,
  RevokeMessageResponse,
  RotateWebhookSecretResponse,
  SendBatchData,
  SendBatchResponse,
  SendMessageData,
  SendMessageResponse,
  SetLeadFormData,
  SetLeadFormResponse,
  ShareAdAccessData,
  ShareAdAccessResponse,
  ShowTypingData,
  ShowTypingResponse,
  StartLeadBackfillData,
  StartLeadBackfillResponse,
  SummarizeReferralsData,
  SummarizeReferralsResponse,
  SyncFlowsData,
  SyncFlowsResponse,
  SyncTemplatesResponse,
  TakeCallOverData,
  TakeCallOverResponse,
  TerminateCallResponse,
  TestWebhookResponse,
  UnlinkLeadPageResponse,
  UpdateCallSettingsData,
  UpdateCallSettingsResponse,
  UpdateCannedReplyData,
  UpdateCannedReplyResponse,
  UpdateFlowData,
  UpdateFlowResponse,
  UpdateLeadPageData,
  UpdateLeadPageResponse,
  UpdateNumberData,
  UpdateNumberResponse,
  UpdateTemplateData,
  UpdateTemplateResponse,
  UpdateUserData,
  UpdateUserResponse,
  UpdateWebhookData,
  UpdateWebhookResponse,
  UploadFlowDocumentData,
  UploadFlowDocumentResponse,
} from './types.gen.ts'

export class Calls {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Place a call. `POST /v1/calls` */
  create(body: PlaceCallData['body'], options?: RequestOptions): Promise<PlaceCallResponse> {
    return this.#send({ verb: 'POST', path: '/v1/calls', body, isIdempotent: true }, options)
  }

  /** List calls, newest first. `GET /v1/calls` */
  list(query?: ListCallsData['query'], options?: RequestOptions): Promise<ListCallsResponse> {
    return this.#send({ verb: 'GET', path: '/v1/calls', query }, options)
  }

  /** Read a call. `GET /v1/calls/{callId}` */
  get(callId: string, query?: GetCallData['query'], options?: RequestOptions): Promise<GetCallResponse> {
    return this.#send({ verb: 'GET', path: `/v1/calls/${encodeURIComponent(callId)}`, query }, options)
  }

  /** Answer an inbound call that rings. `POST /v1/calls/{callId}/accept` */
  accept(callId: string, body?: AcceptCallData['body'], options?: RequestOptions): Promise<AcceptCallResponse> {
    return this.#send({ verb: 'POST', path: `/v1/calls/${encodeURIComponent(callId)}/accept`, body }, options)
  }

  /** Reject a call that is not answered. `POST /v1/calls/{callId}/reject` */
  reject(callId: string, options?: RequestOptions): Promise<RejectCallResponse> {
    return this.#send({ verb: 'POST', path: `/v1/calls/${encodeURIComponent(callId)}/reject` }, options)
  }

  /** End a call. `POST /v1/calls/{callId}/terminate` */
  terminate(callId: string, options?: RequestOptions): Promise<TerminateCallResponse> {
    return this.#send({ verb: 'POST', path: `/v1/calls/${encodeURIComponent(callId)}/terminate` }, options)
  }

  /** Open a WebSocket session with the audio of a call. `POST /v1/calls/{callId}/realtime-session` */
  openRealtimeSession(callId: string, body?: OpenRealtimeSessionData['body'], options?: RequestOptions): Promise<OpenRealtimeSessionResponse> {
    return this.#send({ verb: 'POST', path: `/v1/calls/${encodeURIComponent(callId)}/realtime-session`, body, isIdempotent: true }, options)
  }

  /** Take a call over from its bot, or give it back. `POST /v1/calls/{callId}/takeover` */
  takeOver(callId: string, body?: TakeCallOverData['body'], options?: RequestOptions): Promise<TakeCallOverResponse> {
    return this.#send({ verb: 'POST', path: `/v1/calls/${encodeURIComponent(callId)}/takeover`, body, isIdempotent: true }, options)
  }

  /** Play an audio file into a call. `POST /v1/calls/{callId}/play` */
  play(callId: string, body: PlayOnCallData['body'], options?: RequestOptions): Promise<PlayOnCallResponse> {
    return this.#send({ verb: 'POST', path: `/v1/calls/${encodeURIComponent(callId)}/play`, body, isIdempotent: true }, options)
  }

  /** Download the recording of a call. `GET /v1/calls/{callId}/recording` */
  downloadRecording(callId: string, options?: RequestOptions): Promise<Response> {
    return this.#send({ verb: 'GET', path: `/v1/calls/${encodeURIComponent(callId)}/recording`, isFile: true }, options)
  }

  /** Delete the recording of a call. `DELETE /v1/calls/{callId}/recording` */
  deleteRecording(callId: string, options?: RequestOptions): Promise<DeleteRecordingResponse> {
    return this.#send({ verb: 'DELETE', path: `/v1/calls/${encodeURIComponent(callId)}/recording` }, options)
  }

  /** Set the media of an inbound call up before it is accepted. `POST /v1/calls/{callId}/pre-accept` */
  preAccept(callId: string, body?: PreAcceptCallData['body'], options?: RequestOptions): Promise<PreAcceptCallResponse> {
    return this.#send({ verb: 'POST', path: `/v1/calls/${encodeURIComponent(callId)}/pre-accept`, body }, options)
  }

  /** Read whether a contact may be called. `GET /v1/calls/permissions` */
  getPermissions(query: GetCallPermissionsData['query'], options?: RequestOptions): Promise<GetCallPermissionsResponse> {
    return this.#send({ verb: 'GET', path: '/v1/calls/permissions', query }, options)
  }

  /** Ask a contact for permission to call. `POST /v1/calls/permissions/request` */
  requestPermission(body: RequestCallPermissionData['body'], options?: RequestOptions): Promise<RequestCallPermissionResponse> {
    return this.#send({ verb: 'POST', path: '/v1/calls/permissions/request', body, isIdempotent: true }, options)
  }

  /** Read the calling settings. `GET /v1/calls/settings` */
  getSettings(options?: RequestOptions): Promise<GetCallSettingsResponse> {
    return this.#send({ verb: 'GET', path: '/v1/calls/settings' }, options)
  }

  /** Change the calling settings. `PUT /v1/calls/settings` */
  updateSettings(body: UpdateCallSettingsData['body'], options?: RequestOptions): Promise<UpdateCallSettingsResponse> {
    return this.#send({ verb: 'PUT', path: '/v1/calls/settings', body }, options)
  }
}

export class Messages {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Send a message. `POST /v1/messages/send` */
  send(body: SendMessageData['body'], options?: RequestOptions): Promise<SendMessageResponse> {
    return this.#send({ verb: 'POST', path: '/v1/messages/send', body, isIdempotent: true }, options)
  }

  /** Send many messages. `POST /v1/messages/batch` */
  sendBatch(body: SendBatchData['body'], options?: RequestOptions): Promise<SendBatchResponse> {
    return this.#send({ verb: 'POST', path: '/v1/messages/batch', body, isIdempotent: true }, options)
  }

  /** Count the messages of a batch by status. `GET /v1/messages/batch/{id}` */
  getBatch(id: string, options?: RequestOptions): Promise<GetBatchResponse> {
    return this.#send({ verb: 'GET', path: `/v1/messages/batch/${encodeURIComponent(id)}` }, options)
  }

  /** Cancel what is not sent of a batch. `DELETE /v1/messages/batch/{id}` */
  cancelBatch(id: string, options?: RequestOptions): Promise<CancelBatchResponse> {
    return this.#send({ verb: 'DELETE', path: `/v1/messages/batch/${encodeURIComponent(id)}` }, options)
  }

  /** Read what became of a message. `GET /v1/messages/{id}` */
  get(id: string, options?: RequestOptions): Promise<GetMessageResponse> {
    return this.#send({ verb: 'GET', path: `/v1/messages/${encodeURIComponent(id)}` }, options)
  }

  /** Edit the text of a sent message. `PATCH /v1/messages/{id}` */
  edit(id: string, body: EditMessageData['body'], options?: RequestOptions): Promise<EditMessageResponse> {
    return this.#send({ verb: 'PATCH', path: `/v1/messages/${encodeURIComponent(id)}`, body }, options)
  }

  /** Take a sent message back from everybody. `DELETE /v1/messages/{id}` */
  revoke(id: string, options?: RequestOptions): Promise<RevokeMessageResponse> {
    return this.#send({ verb: 'DELETE', path: `/v1/messages/${encodeURIComponent(id)}` }, options)
  }

  /** List messages, newest first. `GET /v1/messages/history` */
  list(query?: ListMessagesData['query'], options?: RequestOptions): Promise<ListMessagesResponse> {
    return this.#send({ verb: 'GET', path: '/v1/messages/history', query }, options)
  }

  /** List unread messages, newest first. `GET /v1/messages/unread` */
  listUnread(query?: ListUnreadMessagesData['query'], options?: RequestOptions): Promise<ListUnreadMessagesResponse> {
    return this.#send({ verb: 'GET', path: '/v1/messages/unread', query }, options)
  }

  /** List messages of groups, newest first. `GET /v1/messages/group` */
  listGroup(query?: ListGroupMessagesData['query'], options?: RequestOptions): Promise<ListGroupMessagesResponse> {
    return this.#send({ verb: 'GET', path: '/v1/messages/group', query }, options)
  }

  /** Mark messages as read. `POST /v1/messages/read` */
  markRead(body: MarkMessagesReadData['body'], options?: RequestOptions): Promise<MarkMessagesReadResponse> {
    return this.#send({ verb: 'POST', path: '/v1/messages/read', body }, options)
  }

  /** Cancel messages that wait for their deliverAt. `DELETE /v1/messages/cancel` */
  cancel(body: CancelMessagesData['body'], options?: RequestOptions): Promise<CancelMessagesResponse> {
    return this.#send({ verb: 'DELETE', path: '/v1/messages/cancel', body }, options)
  }

  /** Show that somebody is typing. `POST /v1/messages/typing` */
  showTyping(body: ShowTypingData['body'], options?: RequestOptions): Promise<ShowTypingResponse> {
    return this.#send({ verb: 'POST', path: '/v1/messages/typing', body }, options)
  }
}

export class Conversations {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List conversations, last active first. `GET /v1/conversations` */
  list(query?: ListConversationsData['query'], options?: RequestOptions): Promise<ListConversationsResponse> {
    return this.#send({ verb: 'GET', path: '/v1/conversations', query }, options)
  }
}

export class CannedReplies {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List the canned replies of the account. `GET /v1/canned-replies` */
  list(options?: RequestOptions): Promise<ListCannedRepliesResponse> {
    return this.#send({ verb: 'GET', path: '/v1/canned-replies' }, options)
  }

  /** Keep a text to answer with. `POST /v1/canned-replies` */
  create(body: CreateCannedReplyData['body'], options?: RequestOptions): Promise<CreateCannedReplyResponse> {
    return this.#send({ verb: 'POST', path: '/v1/canned-replies', body, isIdempotent: true }, options)
  }

  /** Change a canned reply. `PATCH /v1/canned-replies/{id}` */
  update(id: string, body: UpdateCannedReplyData['body'], options?: RequestOptions): Promise<UpdateCannedReplyResponse> {
    return this.#send({ verb: 'PATCH', path: `/v1/canned-replies/${encodeURIComponent(id)}`, body }, options)
  }

  /** Remove a canned reply. `DELETE /v1/canned-replies/{id}` */
  delete(id: string, options?: RequestOptions): Promise<DeleteCannedReplyResponse> {
    return this.#send({ verb: 'DELETE', path: `/v1/canned-replies/${encodeURIComponent(id)}` }, options)
  }
}

export class Media {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Download a media that was received. `GET /v1/media/{mediaId}` */
  download(mediaId: string, query: DownloadMediaData['query'], options?: RequestOptions): Promise<DownloadMediaResponse> {
    return this.#send({ verb: 'GET', path: `/v1/media/${encodeURIComponent(mediaId)}`, query }, options)
  }
}

export class Templates {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Create a template. `POST /v1/templates` */
  create(body: CreateTemplateData['body'], options?: RequestOptions): Promise<CreateTemplateResponse> {
    return this.#send({ verb: 'POST', path: '/v1/templates', body, isIdempotent: true }, options)
  }

  /** List templates, newest first. `GET /v1/templates` */
  list(query?: ListTemplatesData['query'], options?: RequestOptions): Promise<ListTemplatesResponse> {
    return this.#send({ verb: 'GET', path: '/v1/templates', query }, options)
  }

  /** Check a template and see it filled. `POST /v1/templates/preview` */
  preview(body: PreviewTemplateData['body'], options?: RequestOptions): Promise<PreviewTemplateResponse> {
    return this.#send({ verb: 'POST', path: '/v1/templates/preview', body }, options)
  }

  /** Import the templates of the account. `POST /v1/templates/sync` */
  sync(options?: RequestOptions): Promise<SyncTemplatesResponse> {
    return this.#send({ verb: 'POST', path: '/v1/templates/sync' }, options)
  }

  /** Read a template. `GET /v1/templates/{id}` */
  get(id: string, query?: GetTemplateData['query'], options?: RequestOptions): Promise<GetTemplateResponse> {
    return this.#send({ verb: 'GET', path: `/v1/templates/${encodeURIComponent(id)}`, query }, options)
  }

  /** Replace the wording of a template. `PUT /v1/templates/{id}` */
  update(id: string, body: UpdateTemplateData['body'], query?: UpdateTemplateData['query'], options?: RequestOptions): Promise<UpdateTemplateResponse> {
    return this.#send({ verb: 'PUT', path: `/v1/templates/${encodeURIComponent(id)}`, body, query }, options)
  }

  /** Delete a template, upstream too. `DELETE /v1/templates/{id}` */
  delete(id: string, query?: DeleteTemplateData['query'], options?: RequestOptions): Promise<DeleteTemplateResponse> {
    return this.#send({ verb: 'DELETE', path: `/v1/templates/${encodeURIComponent(id)}`, query }, options)
  }
}

export class Flows {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Create a Flow, or clone one. `POST /v1/flows` */
  create(body?: CreateFlowData['body'], options?: RequestOptions): Promise<CreateFlowResponse> {
    return this.#send({ verb: 'POST', path: '/v1/flows', body, isIdempotent: true }, options)
  }

  /** List Flows, newest first. `GET /v1/flows` */
  list(query?: ListFlowsData['query'], options?: RequestOptions): Promise<ListFlowsResponse> {
    return this.#send({ verb: 'GET', path: '/v1/flows', query }, options)
  }

  /** Import the Flows of the account. `POST /v1/flows/sync` */
  sync(body?: SyncFlowsData['body'], options?: RequestOptions): Promise<SyncFlowsResponse> {
    return this.#send({ verb: 'POST', path: '/v1/flows/sync', body, isIdempotent: true }, options)
  }

  /** Read a Flow. `GET /v1/flows/{id}` */
  get(id: string, query?: GetFlowData['query'], options?: RequestOptions): Promise<GetFlowResponse> {
    return this.#send({ verb: 'GET', path: `/v1/flows/${encodeURIComponent(id)}`, query }, options)
  }

  /** Change the name or the categories of a draft. `PATCH /v1/flows/{id}` */
  update(id: string, body?: UpdateFlowData['body'], options?: RequestOptions): Promise<UpdateFlowResponse> {
    return this.#send({ verb: 'PATCH', path: `/v1/flows/${encodeURIComponent(id)}`, body }, options)
  }

  /** Delete a draft, upstream too. `DELETE /v1/flows/{id}` */
  delete(id: string, body?: DeleteFlowData['body'], options?: RequestOptions): Promise<DeleteFlowResponse> {
    return this.#send({ verb: 'DELETE', path: `/v1/flows/${encodeURIComponent(id)}`, body }, options)
  }

  /** Read the document of a Flow. `GET /v1/flows/{id}/json` */
  getDocument(id: string, options?: RequestOptions): Promise<GetFlowDocumentResponse> {
    return this.#send({ verb: 'GET', path: `/v1/flows/${encodeURIComponent(id)}/json` }, options)
  }

  /** Give a draft its document. `POST /v1/flows/{id}/json` */
  uploadDocument(id: string, body?: UploadFlowDocumentData['body'], options?: RequestOptions): Promise<UploadFlowDocumentResponse> {
    return this.#send({ verb: 'POST', path: `/v1/flows/${encodeURIComponent(id)}/json`, body, isIdempotent: true }, options)
  }

  /** Publish a draft, for good. `POST /v1/flows/{id}/publish` */
  publish(id: string, body?: PublishFlowData['body'], options?: RequestOptions): Promise<PublishFlowResponse> {
    return this.#send({ verb: 'POST', path: `/v1/flows/${encodeURIComponent(id)}/publish`, body, isIdempotent: true }, options)
  }

  /** End a published Flow. `POST /v1/flows/{id}/deprecate` */
  deprecate(id: string, body?: DeprecateFlowData['body'], options?: RequestOptions): Promise<DeprecateFlowResponse> {
    return this.#send({ verb: 'POST', path: `/v1/flows/${encodeURIComponent(id)}/deprecate`, body, isIdempotent: true }, options)
  }

  /** List what customers submitted, newest first. `GET /v1/flows/{id}/responses` */
  listResponses(id: string, query?: ListFlowResponsesData['query'], options?: RequestOptions): Promise<ListFlowResponsesResponse> {
    return this.#send({ verb: 'GET', path: `/v1/flows/${encodeURIComponent(id)}/responses`, query }, options)
  }
}

export class Leads {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List leads, newest first. `GET /v1/leads` */
  list(query?: ListLeadsData['query'], options?: RequestOptions): Promise<ListLeadsResponse> {
    return this.#send({ verb: 'GET', path: '/v1/leads', query }, options)
  }

  /** Read a lead. `GET /v1/leads/{id}` */
  get(id: string, options?: RequestOptions): Promise<GetLeadResponse> {
    return this.#send({ verb: 'GET', path: `/v1/leads/${encodeURIComponent(id)}` }, options)
  }

  /** Erase a lead for good. `DELETE /v1/leads/{id}` */
  erase(id: string, options?: RequestOptions): Promise<EraseLeadResponse> {
    return this.#send({ verb: 'DELETE', path: `/v1/leads/${encodeURIComponent(id)}` }, options)
  }
}

export class LeadPages {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Link a Page to a number. `POST /v1/lead-pages` */
  link(body: LinkLeadPageData['body'], options?: RequestOptions): Promise<LinkLeadPageResponse> {
    return this.#send({ verb: 'POST', path: '/v1/lead-pages', body, isIdempotent: true }, options)
  }

  /** List linked Pages. `GET /v1/lead-pages` */
  list(query?: ListLeadPagesData['query'], options?: RequestOptions): Promise<ListLeadPagesResponse> {
    return this.#send({ verb: 'GET', path: '/v1/lead-pages', query }, options)
  }

  /** Read a linked Page. `GET /v1/lead-pages/{pageId}` */
  get(pageId: string, query?: GetLeadPageData['query'], options?: RequestOptions): Promise<GetLeadPageResponse> {
    return this.#send({ verb: 'GET', path: `/v1/lead-pages/${encodeURIComponent(pageId)}`, query }, options)
  }

  /** Change the number, the token or the app secret of a Page. `PATCH /v1/lead-pages/{pageId}` */
  update(pageId: string, body: UpdateLeadPageData['body'], options?: RequestOptions): Promise<UpdateLeadPageResponse> {
    return this.#send({ verb: 'PATCH', path: `/v1/lead-pages/${encodeURIComponent(pageId)}`, body }, options)
  }

  /** Unlink a Page. `DELETE /v1/lead-pages/{pageId}` */
  unlink(pageId: string, options?: RequestOptions): Promise<UnlinkLeadPageResponse> {
    return this.#send({ verb: 'DELETE', path: `/v1/lead-pages/${encodeURIComponent(pageId)}` }, options)
  }

  /** List the forms of a Page. `GET /v1/lead-pages/{pageId}/forms` */
  listLeadForms(pageId: string, options?: RequestOptions): Promise<ListLeadFormsResponse> {
    return this.#send({ verb: 'GET', path: `/v1/lead-pages/${encodeURIComponent(pageId)}/forms` }, options)
  }

  /** Set what leads of a form consent by and are answered with. `PUT /v1/lead-pages/{pageId}/forms/{formId}` */
  setLeadForm(pageId: string, formId: string, body: SetLeadFormData['body'], options?: RequestOptions): Promise<SetLeadFormResponse> {
    return this.#send({ verb: 'PUT', path: `/v1/lead-pages/${encodeURIComponent(pageId)}/forms/${encodeURIComponent(formId)}`, body }, options)
  }

  /** Import the leads of a form. `POST /v1/lead-pages/{pageId}/forms/{formId}/backfill` */
  startLeadBackfill(pageId: string, formId: string, body?: StartLeadBackfillData['body'], options?: RequestOptions): Promise<StartLeadBackfillResponse> {
    return this.#send({ verb: 'POST', path: `/v1/lead-pages/${encodeURIComponent(pageId)}/forms/${encodeURIComponent(formId)}/backfill`, body, isIdempotent: true }, options)
  }

  /** Read the newest import of a form. `GET /v1/lead-pages/{pageId}/forms/{formId}/backfill` */
  getLeadBackfill(pageId: string, formId: string, options?: RequestOptions): Promise<GetLeadBackfillResponse> {
    return this.#send({ verb: 'GET', path: `/v1/lead-pages/${encodeURIComponent(pageId)}/forms/${encodeURIComponent(formId)}/backfill` }, options)
  }
}

export class Groups {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List the groups the number is in. `GET /v1/groups` */
  list(options?: RequestOptions): Promise<ListGroupsResponse> {
    return this.#send({ verb: 'GET', path: '/v1/groups' }, options)
  }

  /** Create a group. `POST /v1/groups` */
  create(body: CreateGroupData['body'], options?: RequestOptions): Promise<CreateGroupResponse> {
    return this.#send({ verb: 'POST', path: '/v1/groups', body, isIdempotent: true }, options)
  }

  /** Read a group with its participants. `GET /v1/groups/{id}` */
  get(id: string, options?: RequestOptions): Promise<GetGroupResponse> {
    return this.#send({ verb: 'GET', path: `/v1/groups/${encodeURIComponent(id)}` }, options)
  }

  /** Add participants to a group. `POST /v1/groups/{id}/participants` */
  addParticipants(id: string, body: AddGroupParticipantsData['body'], options?: RequestOptions): Promise<AddGroupParticipantsResponse> {
    return this.#send({ verb: 'POST', path: `/v1/groups/${encodeURIComponent(id)}/participants`, body, isIdempotent: true }, options)
  }

  /** Remove participants from a group. `DELETE /v1/groups/{id}/participants` */
  removeParticipants(id: string, body: RemoveGroupParticipantsData['body'], options?: RequestOptions): Promise<RemoveGroupParticipantsResponse> {
    return this.#send({ verb: 'DELETE', path: `/v1/groups/${encodeURIComponent(id)}/participants`, body }, options)
  }
}

export class Newsletters {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List the channels the number follows or owns. `GET /v1/newsletters` */
  list(options?: RequestOptions): Promise<ListNewslettersResponse> {
    return this.#send({ verb: 'GET', path: '/v1/newsletters' }, options)
  }
}

export class Numbers {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Look up which phone numbers are registered. `POST /v1/numbers/check` */
  check(body: CheckNumbersData['body'], options?: RequestOptions): Promise<CheckNumbersResponse> {
    return this.#send({ verb: 'POST', path: '/v1/numbers/check', body }, options)
  }

  /** Share ad accounts with a number. `PUT /v1/numbers/{id}/ad-access` */
  shareAdAccess(id: string, body: ShareAdAccessData['body'], options?: RequestOptions): Promise<ShareAdAccessResponse> {
    return this.#send({ verb: 'PUT', path: `/v1/numbers/${encodeURIComponent(id)}/ad-access`, body }, options)
  }

  /** Read whether ad accounts are shared with a number. `GET /v1/numbers/{id}/ad-access` */
  getAdAccess(id: string, options?: RequestOptions): Promise<GetAdAccessResponse> {
    return this.#send({ verb: 'GET', path: `/v1/numbers/${encodeURIComponent(id)}/ad-access` }, options)
  }

  /** Take the ad accounts of a number back. `DELETE /v1/numbers/{id}/ad-access` */
  removeAdAccess(id: string, options?: RequestOptions): Promise<RemoveAdAccessResponse> {
    return this.#send({ verb: 'DELETE', path: `/v1/numbers/${encodeURIComponent(id)}/ad-access` }, options)
  }

  /** Make a connect link for a number, creating the number if needed. `POST /v1/numbers/remote-pairing` */
  createRemotePairing(body: CreateRemotePairingData['body'], options?: RequestOptions): Promise<CreateRemotePairingResponse> {
    return this.#send({ verb: 'POST', path: '/v1/numbers/remote-pairing', body, isIdempotent: true }, options)
  }

  /** Create a QR-paired number and start pairing it. `POST /v1/numbers` */
  create(body: CreateNumberData['body'], options?: RequestOptions): Promise<CreateNumberResponse> {
    return this.#send({ verb: 'POST', path: '/v1/numbers', body, isIdempotent: true }, options)
  }

  /** List the numbers of the tenant, oldest first. `GET /v1/numbers` */
  list(query?: ListNumbersData['query'], options?: RequestOptions): Promise<ListNumbersResponse> {
    return this.#send({ verb: 'GET', path: '/v1/numbers', query }, options)
  }

  /** Connect a number of the official platform. `POST /v1/numbers/official` */
  createOfficial(body: CreateOfficialNumberData['body'], options?: RequestOptions): Promise<CreateOfficialNumberResponse> {
    return this.#send({ verb: 'POST', path: '/v1/numbers/official', body, isIdempotent: true }, options)
  }

  /** Read a number. `GET /v1/numbers/{id}` */
  get(id: string, query?: GetNumberData['query'], options?: RequestOptions): Promise<GetNumberResponse> {
    return this.#send({ verb: 'GET', path: `/v1/numbers/${encodeURIComponent(id)}`, query }, options)
  }

  /** Change name, settings, retention, bot server or credentials of a number. `PATCH /v1/numbers/{id}` */
  update(id: string, body: UpdateNumberData['body'], options?: RequestOptions): Promise<UpdateNumberResponse> {
    return this.#send({ verb: 'PATCH', path: `/v1/numbers/${encodeURIComponent(id)}`, body }, options)
  }

  /** Remove a number. `DELETE /v1/numbers/{id}` */
  delete(id: string, options?: RequestOptions): Promise<DeleteNumberResponse> {
    return this.#send({ verb: 'DELETE', path: `/v1/numbers/${encodeURIComponent(id)}` }, options)
  }

  /** Read whether a number is connected. `GET /v1/numbers/{id}/status` */
  getConnection(id: string, options?: RequestOptions): Promise<GetNumberConnectionResponse> {
    return this.#send({ verb: 'GET', path: `/v1/numbers/${encodeURIComponent(id)}/status` }, options)
  }

  /** Read how fast and how far a number sends. `GET /v1/numbers/{id}/limits` */
  getLimits(id: string, options?: RequestOptions): Promise<GetNumberLimitsResponse> {
    return this.#send({ verb: 'GET', path: `/v1/numbers/${encodeURIComponent(id)}/limits` }, options)
  }

  /** Start pairing, or read the code shown now. `GET /v1/numbers/{id}/connect` */
  getPairingCode(id: string, query?: GetPairingCodeData['query'], options?: RequestOptions): Promise<GetPairingCodeResponse> {
    return this.#send({ verb: 'GET', path: `/v1/numbers/${encodeURIComponent(id)}/connect`, query }, options)
  }

  /** Start pairing, or read the code shown now. `POST /v1/numbers/{id}/connect` */
  connect(id: string, query?: ConnectNumberData['query'], options?: RequestOptions): Promise<ConnectNumberResponse> {
    return this.#send({ verb: 'POST', path: `/v1/numbers/${encodeURIComponent(id)}/connect`, query }, options)
  }

  /** Disconnect a number without removing it. `POST /v1/numbers/{id}/logout` */
  logout(id: string, options?: RequestOptions): Promise<LogoutNumberResponse> {
    return this.#send({ verb: 'POST', path: `/v1/numbers/${encodeURIComponent(id)}/logout` }, options)
  }
}

export class Referrals {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Count conversations by the ad or post that began them. `GET /v1/referrals/summary` */
  summarize(query?: SummarizeReferralsData['query'], options?: RequestOptions): Promise<SummarizeReferralsResponse> {
    return this.#send({ verb: 'GET', path: '/v1/referrals/summary', query }, options)
  }

  /** List conversations that an ad or post began, newest first. `GET /v1/referrals` */
  list(query?: ListReferralsData['query'], options?: RequestOptions): Promise<ListReferralsResponse> {
    return this.#send({ verb: 'GET', path: '/v1/referrals', query }, options)
  }
}

export class Branding {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Read the brand of the tenant. `GET /v1/branding` */
  get(options?: RequestOptions): Promise<GetBrandingResponse> {
    return this.#send({ verb: 'GET', path: '/v1/branding' }, options)
  }

  /** Change the brand of the tenant. `PUT /v1/branding` */
  change(body: ChangeBrandingData['body'], options?: RequestOptions): Promise<ChangeBrandingResponse> {
    return this.#send({ verb: 'PUT', path: '/v1/branding', body, isIdempotent: true }, options)
  }
}

export class Embed {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Mint a session for an embed. `POST /v1/embed/sessions` */
  createSession(body: CreateEmbedSessionData['body'], options?: RequestOptions): Promise<CreateEmbedSessionResponse> {
    return this.#send({ verb: 'POST', path: '/v1/embed/sessions', body }, options)
  }

  /** List live sessions of embeds. `GET /v1/embed/sessions` */
  listSessions(options?: RequestOptions): Promise<ListEmbedSessionsResponse> {
    return this.#send({ verb: 'GET', path: '/v1/embed/sessions' }, options)
  }

  /** End a session of an embed. `DELETE /v1/embed/sessions/{id}` */
  revokeSession(id: string, options?: RequestOptions): Promise<RevokeEmbedSessionResponse> {
    return this.#send({ verb: 'DELETE', path: `/v1/embed/sessions/${encodeURIComponent(id)}` }, options)
  }
}

export class Status {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Read the connection of the key's number. `GET /v1/status` */
  get(options?: RequestOptions): Promise<GetStatusResponse> {
    return this.#send({ verb: 'GET', path: '/v1/status' }, options)
  }
}

export class Subscription {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Read the plan of the tenant and how much of it is used. `GET /v1/subscription` */
  get(options?: RequestOptions): Promise<GetSubscriptionResponse> {
    return this.#send({ verb: 'GET', path: '/v1/subscription' }, options)
  }
}

export class Usage {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Read what the account used, by day or by number. `GET /v1/usage` */
  get(query?: GetUsageData['query'], options?: RequestOptions): Promise<GetUsageResponse> {
    return this.#send({ verb: 'GET', path: '/v1/usage', query }, options)
  }
}

export class ApiKeys {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List the default key of each number. `GET /v1/api-keys` */
  list(options?: RequestOptions): Promise<ListApiKeysResponse> {
    return this.#send({ verb: 'GET', path: '/v1/api-keys' }, options)
  }

  /** Replace a number's default key. `POST /v1/api-keys` */
  replace(body: ReplaceApiKeyData['body'], options?: RequestOptions): Promise<ReplaceApiKeyResponse> {
    return this.#send({ verb: 'POST', path: '/v1/api-keys', body, isIdempotent: true }, options)
  }

  /** Replace the calling key itself. `POST /v1/api-keys/regenerate` */
  regenerate(options?: RequestOptions): Promise<RegenerateApiKeyResponse> {
    return this.#send({ verb: 'POST', path: '/v1/api-keys/regenerate', isIdempotent: true }, options)
  }
}

export class Users {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Invite a person. `POST /v1/users` */
  create(body: CreateUserData['body'], options?: RequestOptions): Promise<CreateUserResponse> {
    return this.#send({ verb: 'POST', path: '/v1/users', body }, options)
  }

  /** List the people of the account. `GET /v1/users` */
  list(options?: RequestOptions): Promise<ListUsersResponse> {
    return this.#send({ verb: 'GET', path: '/v1/users' }, options)
  }

  /** Read a person. `GET /v1/users/{id}` */
  get(id: string, options?: RequestOptions): Promise<GetUserResponse> {
    return this.#send({ verb: 'GET', path: `/v1/users/${encodeURIComponent(id)}` }, options)
  }

  /** Change role, name or status of a person. `PATCH /v1/users/{id}` */
  update(id: string, body: UpdateUserData['body'], options?: RequestOptions): Promise<UpdateUserResponse> {
    return this.#send({ verb: 'PATCH', path: `/v1/users/${encodeURIComponent(id)}`, body }, options)
  }

  /** Remove a person. `DELETE /v1/users/{id}` */
  remove(id: string, options?: RequestOptions): Promise<RemoveUserResponse> {
    return this.#send({ verb: 'DELETE', path: `/v1/users/${encodeURIComponent(id)}` }, options)
  }

  /** Make a new invitation. `POST /v1/users/{id}/invite` */
  invite(id: string, options?: RequestOptions): Promise<InviteUserResponse> {
    return this.#send({ verb: 'POST', path: `/v1/users/${encodeURIComponent(id)}/invite` }, options)
  }
}

export class Webhooks {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Create a webhook for a number. `POST /v1/webhooks` */
  create(body: CreateWebhookData['body'], options?: RequestOptions): Promise<CreateWebhookResponse> {
    return this.#send({ verb: 'POST', path: '/v1/webhooks', body, isIdempotent: true }, options)
  }

  /** List webhooks. `GET /v1/webhooks` */
  list(options?: RequestOptions): Promise<ListWebhooksResponse> {
    return this.#send({ verb: 'GET', path: '/v1/webhooks' }, options)
  }

  /** Read a webhook. `GET /v1/webhooks/{id}` */
  get(id: string, options?: RequestOptions): Promise<GetWebhookResponse> {
    return this.#send({ verb: 'GET', path: `/v1/webhooks/${encodeURIComponent(id)}` }, options)
  }

  /** Change a webhook. `PATCH /v1/webhooks/{id}` */
  update(id: string, body: UpdateWebhookData['body'], options?: RequestOptions): Promise<UpdateWebhookResponse> {
    return this.#send({ verb: 'PATCH', path: `/v1/webhooks/${encodeURIComponent(id)}`, body }, options)
  }

  /** Remove a webhook. `DELETE /v1/webhooks/{id}` */
  delete(id: string, options?: RequestOptions): Promise<DeleteWebhookResponse> {
    return this.#send({ verb: 'DELETE', path: `/v1/webhooks/${encodeURIComponent(id)}` }, options)
  }

  /** Send the event webhook.test now. `POST /v1/webhooks/{id}/test` */
  test(id: string, options?: RequestOptions): Promise<TestWebhookResponse> {
    return this.#send({ verb: 'POST', path: `/v1/webhooks/${encodeURIComponent(id)}/test`, isIdempotent: true }, options)
  }

  /** Replace the signing secret. `POST /v1/webhooks/{id}/secret` */
  rotateSecret(id: string, options?: RequestOptions): Promise<RotateWebhookSecretResponse> {
    return this.#send({ verb: 'POST', path: `/v1/webhooks/${encodeURIComponent(id)}/secret`, isIdempotent: true }, options)
  }

  /** List the attempts of a webhook, newest first. `GET /v1/webhooks/{id}/logs` */
  listLogs(id: string, query?: ListWebhookLogsData['query'], options?: RequestOptions): Promise<ListWebhookLogsResponse> {
    return this.#send({ verb: 'GET', path: `/v1/webhooks/${encodeURIComponent(id)}/logs`, query }, options)
  }

  /** Deliver the event of a log item again. `POST /v1/webhooks/{id}/logs/{logId}/redeliver` */
  redeliverLog(id: string, logId: string, options?: RequestOptions): Promise<RedeliverWebhookLogResponse> {
    return this.#send({ verb: 'POST', path: `/v1/webhooks/${encodeURIComponent(id)}/logs/${encodeURIComponent(logId)}/redeliver`, isIdempotent: true }, options)
  }

  /** Deliver again what failed. `POST /v1/webhooks/{id}/redeliver` */
  redeliverFailed(id: string, body: RedeliverFailedData['body'], options?: RequestOptions): Promise<RedeliverFailedResponse> {
    return this.#send({ verb: 'POST', path: `/v1/webhooks/${encodeURIComponent(id)}/redeliver`, body, isIdempotent: true }, options)
  }
}

export class Events {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** List stored events, oldest first. `GET /v1/events` */
  list(query?: ListEventsData['query'], options?: RequestOptions): Promise<ListEventsResponse> {
    return this.#send({ verb: 'GET', path: '/v1/events', query }, options)
  }
}

/** What a client is: every resource as a member. */
export class Resources {
  readonly calls: Calls
  readonly messages: Messages
  readonly conversations: Conversations
  readonly cannedReplies: CannedReplies
  readonly media: Media
  readonly templates: Templates
  readonly flows: Flows
  readonly leads: Leads
  readonly leadPages: LeadPages
  readonly groups: Groups
  readonly newsletters: Newsletters
  readonly numbers: Numbers
  readonly referrals: Referrals
  readonly branding: Branding
  readonly embed: Embed
  readonly status: Status
  readonly subscription: Subscription
  readonly usage: Usage
  readonly apiKeys: ApiKeys
  readonly users: Users
  readonly webhooks: Webhooks
  readonly events: Events

  constructor(send: Send) {
    this.calls = new Calls(send)
    this.messages = new Messages(send)
    this.conversations = new Conversations(send)
    this.cannedReplies = new CannedReplies(send)
    this.media = new Media(send)
    this.templates = new Templates(send)
    this.flows = new Flows(send)
    this.leads = new Leads(send)
    this.leadPages = new LeadPages(send)
    this.groups = new Groups(send)
    this.newsletters = new Newsletters(send)
    this.numbers = new Numbers(send)
    this.referrals = new Referrals(send)
    this.branding = new Branding(send)
    this.embed = new Embed(send)
    this.status = new Status(send)
    this.subscription = new Subscription(send)
    this.usage = new Usage(send)
    this.apiKeys = new ApiKeys(send)
    this.users = new Users(send)
    this.webhooks = new Webhooks(send)
    this.events = new Events(send)
  }
}
