import { useEffect, useState } from 'preact/hooks'
import { CheckField, SelectField } from '../../ground/form.tsx'
import type { MicrophoneFault } from '../audio/microphone.ts'
import type { Softphone } from '../call/softphone.ts'
import type { PhoneWords } from './in-call.tsx'

interface SoundChoiceProps {
  readonly phone: Softphone
  readonly words: PhoneWords
}

/** Which microphone is used, and whether the browser works on what it hears. */
export function SoundChoice({ phone, words }: SoundChoiceProps) {
  const wish = phone.wish.value
  const devices = useMicrophones(phone)
  return (
    <div class="form">
      <CheckField
        name="voiceProcessing"
        label={words.voiceProcessing}
        isChecked={wish.hasVoiceProcessing}
        change={(hasVoiceProcessing) => phone.choose({ ...wish, hasVoiceProcessing })}
      />
      {devices.length > 1 && (
        <SelectField
          name="microphone"
          label={words.microphone}
          options={[
            { value: '', label: words.usualMicrophone },
            ...devices.map((device) => ({ value: device.deviceId, label: device.label })),
          ]}
          value={wish.deviceId ?? ''}
          change={(deviceId) => phone.choose({ ...wish, deviceId: deviceId || null })}
        />
      )}
      {phone.microphoneFault.value !== null && (
        <NoMicrophone fault={phone.microphoneFault.value} words={words} again={() => phone.choose(wish)} />
      )}
    </div>
  )
}

interface NoMicrophoneProps {
  readonly fault: MicrophoneFault
  readonly words: PhoneWords
  again(): void
}

function NoMicrophone({ fault, words, again }: NoMicrophoneProps) {
  return (
    <div class="fault" role="status" data-microphone={fault}>
      <p>{words.faults[fault]}</p>
      {fault !== 'insecure' && (
        <button type="button" class="button quiet small" data-action="retry" onClick={again}>
          {words.again}
        </button>
      )}
    </div>
  )
}

/** The microphones that the browser names; it names them once one was allowed. */
function useMicrophones(phone: Softphone): readonly MediaDeviceInfo[] {
  const [found, put] = useState<readonly MediaDeviceInfo[]>([])
  const { at } = phone.state.value
  useEffect(() => {
    const devices = 'mediaDevices' in navigator ? navigator.mediaDevices : null
    if (!devices) return
    const read = async (): Promise<void> => {
      const all = await devices.enumerateDevices()
      put(all.filter(({ kind, label }) => kind === 'audioinput' && label !== ''))
    }
    void read()
    devices.addEventListener('devicechange', read)
    return () => devices.removeEventListener('devicechange', read)
  }, [at])
  return found
}
