/** The page: a socket to the service, and the microphone and the speaker of this browser. */
const [callButton, hangUpButton, keys, state, noMicrophone, level] = [
  'call',
  'hang-up',
  'keys',
  'state',
  'microphone',
  'level',
].map((id) => document.getElementById(id))
let socket = null

const tell = (text) => (state.textContent = text)
const send = (message) => socket?.send(JSON.stringify(message))

/** The microphone; null where there is none, and the caller only listens. */
async function microphone() {
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true } })
  } catch {
    return null
  }
}

/** Joins the socket to the sound of this browser; answers the function that ends it. */
async function openSound() {
  const context = new AudioContext({ sampleRate: 16_000 })
  await context.audioWorklet.addModule('audio.js')
  const line = new AudioWorkletNode(context, 'line')
  line.connect(context.destination)
  const stream = await microphone()
  noMicrophone.hidden = stream !== null
  if (stream) context.createMediaStreamSource(stream).connect(line)
  line.port.onmessage = ({ data }) => socket?.readyState === WebSocket.OPEN && socket.send(data)
  return {
    play: (samples) => line.port.postMessage(samples, [samples]),
    end() {
      stream?.getTracks().forEach((track) => track.stop())
      return context.close()
    },
  }
}

function show(samples) {
  const loudest = new Int16Array(samples).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  level.value = loudest / 32_767
}

function read(message) {
  // Who joins after the answer hears of it in `start` alone.
  if (message.type === 'start' || message.type === 'call') tell(message.status)
  if (message.type === 'dtmf') tell(`The peer pressed ${message.digit}`)
}

async function call() {
  callButton.disabled = true
  const sound = await openSound()
  const answer = await fetch('call', { method: 'POST' })
  if (!answer.ok) {
    callButton.disabled = false
    return tell('The call could not be placed')
  }
  const { wsUrl } = await answer.json()
  socket = new WebSocket(wsUrl)
  socket.binaryType = 'arraybuffer'
  socket.onopen = () => (hangUpButton.disabled = false)
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') return read(JSON.parse(data))
    show(data)
    sound.play(data)
  }
  socket.onclose = () => {
    socket = null
    hangUpButton.disabled = true
    callButton.disabled = false
    level.value = 0
    tell('The call is over')
    void sound.end()
  }
}

callButton.onclick = () => void call()
hangUpButton.onclick = () => {
  send({ type: 'clear' })
  send({ type: 'hangup' })
}
for (const key of '123456789*0#') {
  const button = Object.assign(document.createElement('button'), { textContent: key })
  button.onclick = () => send({ type: 'dtmf', digits: key })
  keys.append(button)
}
