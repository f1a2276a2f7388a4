// Small improvements of pages that work without them: keys, theme, copying links, focus on one conversation.

const root = document.documentElement
const stops = () => [...document.querySelectorAll(".stop")].filter((each) => !each.classList.contains("dim"))
const isTyping = (target) => target.matches("input, textarea, select, [contenteditable]")
let current = -1
let awaitsPlace = false

function go(step) {
  const all = stops()
  if (!all.length) return
  const focused = all.indexOf(document.activeElement.closest?.(".stop"))
  current = Math.min(all.length - 1, Math.max(0, (focused >= 0 ? focused : current) + step))
  all[current].focus({ preventScroll: true })
  all[current].scrollIntoView({ block: "nearest" })
}

function choose(number) {
  for (const row of document.querySelectorAll(".log .row")) row.classList.toggle("dim", number !== null && row.dataset.conversation !== number)
  for (const item of document.querySelectorAll(".in-view li")) {
    if (item.dataset.conversation === number) item.setAttribute("aria-current", "true")
    else item.removeAttribute("aria-current")
  }
}

function chooseNext(step) {
  const items = [...document.querySelectorAll(".in-view li")]
  if (!items.length) return
  const at = items.findIndex((each) => each.hasAttribute("aria-current"))
  const next = items[(at + step + items.length) % items.length]
  choose(next.dataset.conversation)
  document.querySelector(`.row[data-conversation="${next.dataset.conversation}"]`)?.scrollIntoView({ block: "center" })
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  const actions = {
    j: () => go(1), k: () => go(-1), n: () => chooseNext(1), p: () => chooseNext(-1),
    "/": () => document.querySelector(".find input").focus(),
    "?": () => document.getElementById("keys").showModal(),
    Escape: () => choose(null),
    h: () => { if (awaitsPlace) location.href = "/" },
    Enter: () => { const open = document.activeElement.dataset?.open; if (open) location.href = open },
  }
  if (!(event.key in actions)) { awaitsPlace = event.key === "g"; return }
  if (event.key === "/" || event.key === "?") event.preventDefault()
  actions[event.key]()
  awaitsPlace = false
})

for (const link of document.querySelectorAll(".only")) link.addEventListener("click", (event) => {
  event.preventDefault()
  const item = link.closest("li")
  choose(item.hasAttribute("aria-current") ? null : item.dataset.conversation)
})

for (const row of document.querySelectorAll(".row[data-parents]")) {
  const parents = () => row.dataset.parents.trim().split(" ").filter((id) => id && `m${id}` !== row.id).map((id) => document.getElementById(`m${id}`)).filter(Boolean)
  const mark = (on) => () => parents().forEach((each) => each.classList.toggle("parent", on))
  row.addEventListener("mouseenter", mark(true)); row.addEventListener("mouseleave", mark(false))
  row.addEventListener("focus", mark(true)); row.addEventListener("blur", mark(false))
  row.addEventListener("dblclick", () => { if (row.dataset.open) location.href = row.dataset.open })
}

for (const button of document.querySelectorAll(".copy")) {
  button.hidden = !navigator.clipboard
  button.addEventListener("click", async () => { await navigator.clipboard.writeText(new URL(button.dataset.copy, location.href).href); button.textContent = "copied" })
}

for (const button of document.querySelectorAll(".probabilities")) {
  button.hidden = false
  button.addEventListener("click", () => {
    const isOn = button.getAttribute("aria-pressed") !== "true"
    button.setAttribute("aria-pressed", String(isOn))
    button.textContent = isOn ? "hide probabilities" : "show probabilities"
    document.querySelectorAll(".probability").forEach((each) => { each.hidden = !isOn })
  })
}

const theme = document.querySelector(".theme")
try { if (localStorage.theme) root.dataset.theme = localStorage.theme } catch { /* storage may be off */ }
theme.hidden = false
theme.addEventListener("click", () => {
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches
  root.dataset.theme = isDark ? "light" : "dark"
  try { localStorage.theme = root.dataset.theme } catch { /* storage may be off */ }
})
