import type { OfficialNumber } from '../registry/registry.ts'
import type { PlatformFlow } from './flow.ts'

/** Why a Flow cannot be published, in words for people; null when it can. */
export function faultOfPublishing(
  { status, document, endpointUri }: PlatformFlow,
  numbers: readonly OfficialNumber[],
): { readonly title: string; readonly text: string } | null {
  if (status !== 'DRAFT')
    return {
      title: 'Publishing Flow in invalid state',
      text: 'A Flow that has left the draft state cannot be published again.',
    }
  if (!document) return { title: 'Publishing Flow without document', text: 'The Flow has no document yet.' }
  if (document.errors.length > 0)
    return {
      title: 'Publishing Flow with validation errors',
      text: 'The document of the Flow has validation errors. Correct them, then publish it.',
    }
  if (numbers.length === 0)
    return {
      title: 'No Phone Number connected to WhatsApp Business Account',
      text: 'Add a phone number to the account, then publish the Flow.',
    }
  if (!document.hasEndpoint) return null
  if (endpointUri === null && Number(document.version) >= 3)
    return {
      title: 'Publishing without specifying endpoint_uri is forbidden',
      text: 'The document asks an endpoint for data: set the endpoint_uri of the Flow.',
    }
  if (numbers.every(({ businessPublicKey }) => businessPublicKey === null))
    return {
      title: 'Missing Flows Signed Public Key',
      text: 'Upload a public key to a phone number of the account, then publish the Flow.',
    }
  return null
}
