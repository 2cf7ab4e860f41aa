/** Common emoji, each with search words in English, Portuguese and Spanish. The first word is the English name. */
const LINES = `
😀 grin smile sorriso sonrisa feliz happy
😄 laughing smile riso risa feliz
😅 sweat nervous suor sudor alívio alivio
😂 joy laugh chorar rir lágrimas risa
🤣 rolling laugh rolando rir carcajada
😊 blush smile timido sonrojo feliz
😇 angel innocent anjo ángel
🙂 slight smile leve sonrisa
😉 wink piscar guiño
😍 love eyes amor olhos enamorado
🥰 adore love amor carinho cariño
😘 kiss beijo beso
😋 yum delicious gostoso delicioso
😜 silly tongue lingua lengua
🤗 hug abraço abrazo
🤔 thinking pensar duda dúvida
🤨 doubt eyebrow sobrancelha ceja
😐 neutral neutro
🙄 eyeroll olhos ojos
😏 smirk sorriso ironia
😴 sleep dormir sono sueño
😌 relieved calm alívio tranquilo
😔 sad pensive triste
😢 cry tear chorar llorar triste
😭 sob cry chorar llorar
😤 huff angry bufar enojo
😠 angry raiva enojado bravo
😡 rage raiva furioso
😱 scream shock grito susto
😳 flushed vergonha vergüenza
🥺 pleading favor súplica
😬 grimace nervoso mueca
🤯 mindblown explodir mente
🥳 party festa fiesta
😎 cool sunglasses óculos gafas
🤓 nerd estudioso
😷 mask sick máscara doente enfermo
🤒 ill fever febre fiebre
🤧 sneeze cold resfriado gripe
👍 thumbsup ok yes sim sí bien curtir
👎 thumbsdown no não mal
👌 okay perfect perfeito perfecto
✌️ peace victory paz vitória
🤞 luck fingers sorte suerte
🤙 call liga llámame
👏 clap aplauso palmas
🙌 hooray mãos celebrar
🙏 please thanks obrigado gracias favor
🤝 handshake deal acordo trato
💪 strong force força fuerza
👋 wave hello olá hola tchau
☝️ point up acima arriba
👇 down below abaixo abajo
👉 right direita derecha
👈 left esquerda izquierda
🤷 shrug dúvida duda
🤦 facepalm vergonha
👀 eyes look olhos mirar
❤️ heart love amor coração corazón
🧡 orange heart laranja naranja
💛 yellow heart amarelo amarillo
💚 green heart verde
💙 blue heart azul
💜 purple heart roxo morado
🖤 black heart preto negro
💔 broken heart partido roto
💯 hundred cem cien perfeito
💥 boom explosão explosión
💬 chat talk conversa mensaje
💤 zzz sono sueño
🎉 tada party festa fiesta parabéns
🎊 confetti festa fiesta
🎁 gift presente regalo
🎂 cake birthday bolo aniversário cumpleaños
🎈 balloon balão globo
🏆 trophy prêmio premio
🥇 gold first primeiro primero
⚽ football futebol fútbol
🎵 music note música
🎧 headphones fones auriculares
🎬 movie filme película
📷 camera foto
📱 phone telefone teléfono celular
☎️ telephone telefone teléfono
💻 laptop computer computador
🖨️ printer impressora impresora
📧 email e mail correo
📎 clip attachment anexo
📄 page document documento
📅 calendar date agenda data fecha
⏰ alarm clock hora reloj
⏳ hourglass wait espera
📍 pin place lugar local
🗺️ map mapa
🏠 home house casa
🏢 office building escritório oficina
🏥 hospital
🏦 bank banco
🛒 cart shop carrinho compra carrito
🛍️ shopping compras sacola
💳 card pay cartão tarjeta pago
💰 money dinheiro dinero
💵 cash dinheiro efectivo
🧾 receipt recibo nota factura
📦 package box pacote caixa paquete
🚚 truck delivery entrega envio envío
✈️ plane travel avião viagem viaje
🚗 car carro coche
🚕 taxi táxi
🚌 bus ônibus autobús
🚲 bike bicicleta
🔑 key chave llave
🔒 lock secure seguro cadeado candado
🔔 bell sino aviso campana
🔍 search buscar lupa
🔧 wrench repair conserto arreglo
⚙️ gear settings ajustes
💡 idea light ideia luz
🔥 fire hot fogo fuego
⭐ star estrela estrella
✨ sparkles brilho brillo
☀️ sun sol
🌧️ rain chuva lluvia
⛄ snow neve nieve
🌈 rainbow arco íris arcoíris
🌹 rose flower rosa flor
🌻 sunflower girassol girasol
🌱 plant planta
🐶 dog cachorro perro
🐱 cat gato
🐦 bird pássaro pájaro
🍎 apple maçã manzana
🍕 pizza
🍔 burger hambúrguer hamburguesa
🍟 fries batata papas
🍣 sushi
🥗 salad salada ensalada
🍰 dessert sobremesa postre
☕ coffee café
🍺 beer cerveja cerveza
🍷 wine vinho vino
🥤 drink bebida
✅ done check feito hecho sim
☑️ ticked marcado
❌ no cross não error erro
❗ exclamation important importante
❓ question pergunta pregunta
⚠️ warning atenção aviso alerta
🚫 forbidden proibido prohibido
🆗 ok
🆕 new novo nuevo
➕ plus mais más
➖ minus menos
➡️ arrow seta flecha
🔄 refresh atualizar actualizar
🔗 link
📌 pushpin fixar fijar
📝 note write nota escrever escribir
📊 chart gráfico
🙋 hand raise mão mano eu yo
👤 person pessoa persona
👥 people pessoas personas grupo
👨‍💻 developer programador
👩‍⚕️ doctor médica
👶 baby bebê bebé
🇧🇷 brazil brasil
🇪🇸 spain espanha españa
🇲🇽 mexico méxico
🇵🇹 portugal
🇺🇸 usa estados unidos
`

export const EMOJI: readonly (readonly [emoji: string, words: readonly string[]])[] = LINES.trim()
  .split('\n')
  .map((line) => {
    const [emoji = '', ...words] = line.split(' ')
    return [emoji, words] as const
  })

/** Emoji with a search word that begins with the wanted text, accents ignored; all emoji when the text is empty. */
export function findEmoji(wanted: string): readonly string[] {
  const start = plain(wanted.trim())
  return EMOJI.filter(([, words]) => start === '' || words.some((word) => plain(word).startsWith(start))).map(
    ([emoji]) => emoji,
  )
}

function plain(text: string): string {
  return text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')
}
