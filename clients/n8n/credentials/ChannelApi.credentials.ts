import type { IAuthenticateGeneric, Icon, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow'

/** Where the service is, and the key that opens it. */
export class ChannelApi implements ICredentialType {
  name = 'channelApi'

  displayName = 'Channel API'

  icon: Icon = { light: 'file:../icons/channel.svg', dark: 'file:../icons/channel.dark.svg' }

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'https://channel.example.com',
      description: 'Where the service is installed',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      required: true,
      default: '',
      description: 'Key of the number that sends and calls. The trigger takes the key of a tenant, too.',
    },
  ]

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { 'x-api-key': '={{$credentials.apiKey}}' } },
  }

  /** A route that keys of numbers and of tenants open. */
  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl}}', url: '/v1/webhooks' },
  }
}
