"""English wording of stance: patterns over one clause in which the brand stands as Ⓑ and other tracked brands as Ⓞ.

Here: tables of patterns in order of priority, first match wins. Not here: how clauses, anaphora, headings and lists are
brought together (`stance`).
"""

import re

_GAP = r"(?:[^.;!?\nⒷⓄ]|(?<=\w)\.(?=\w))"
_NEAR = r"(?:(?! and | but | then |, |\.)[^;!?\nⒷⓄ])"
_APOS = "['’]"
_NOT = (
    rf"(?:(?:would|do|does|did|could|should|can|will|is|are|was|has|have)n{_APOS}t|wouldn{_APOS}t|don{_APOS}t|won{_APOS}t|can{_APOS}t|cannot|can not|would not|do not|does not"
    r"|should not|could not|will not|never|no longer|not|hardly|rarely|least likely to|reluctant to|hesitant to|hard to|difficult to|hesitate to|struggle to|wary of|refuse to|stop|not to|against)"
)
_TAKE = (
    r"(?:recommend(?:ing|ed)?|suggest(?:ing)?|buy(?:ing)?|get(?:ting)?|pick(?:ing)?|choos(?:e|ing)|book(?:ing)?|go(?:ing)? (?:with|for|to|near)|use|using|sign(?:ing)? up|bother(?:ing)?"
    r"|pay(?:ing)?|spend(?:ing)?|advise|invest(?:ing)?|consider(?:ing)?|upgrad(?:e|ing)|switch(?:ing)?|rely(?:ing)?|start(?:ing)?|opt(?:ing)?|subscrib(?:e|ing)|order(?:ing)?|touch|rush"
    r"|renew(?:ing)?|commit(?:ting)?|justify|take|taking|try(?:ing)?|stay(?:ing)?|endorse|trust(?:ing)?|reach for|shop(?:ping)?|purchas(?:e|ing)|adopt(?:ing)?|mov(?:e|ing)|migrat(?:e|ing)|put)"
)

DOUBLE = [
    rf"(?:can{_APOS}t|cannot|can not|hard to|won{_APOS}t|never|wouldn{_APOS}t|couldn{_APOS}t|impossible to)\s+(?:really\s+)?(?:go\s+(?:far\s+)?wrong|beat|be beaten|fault|regret|disappoint|miss|recommend{_GAP}{{0,40}}(?:enough|highly enough)|praise|overstate)",
    rf"(?:{_NOT})\s+(?:even\s+)?(?:hesitate|think twice about|overlook|miss(?: out on)?|sleep on|rule out|dismiss|discount|underestimate|ignore|pass up|skip|write off|be scared of|be afraid of|turn down|say no to|be without|avoid|pass on|count out|let)\b{_GAP}{{0,25}}Ⓑ",
    rf"Ⓑ{_GAP}{{0,60}}(?:{_NOT})\s+(?:even\s+)?(?:hesitate|be overlooked|miss|disappoint|regret|rule (?:it|this|that) out|count (?:it|this|that) out|dismiss (?:it|this)|write (?:it|this) off|overlook (?:it|this)|skip (?:it|this)|put you off|say no)",
    rf"(?:{_NOT})\s+(?:hesitate|think twice about)\b|\b(?:rule|count|write)\s+{_GAP}{{0,4}}Ⓑ\s+(?:out|off)\s+just\b",
    r"no reason (?:not to|to (?:avoid|skip|rule|pass|dismiss|write|drop|ignore|look (?:elsewhere|further)))|nothing wrong with|no (?:complaints|regrets)|look no further|without (?:hesitation|reservation|a second thought)",
    rf"(?:{_NOT})\s+(?:a\s+)?(?:bad|terrible|poor|wrong|the worst)\s+(?:choice|option|pick|idea|bet|fit|call|buy)",
    rf"(?:{_NOT}|no one|nobody|nothing|few|none)\b{_GAP}{{0,40}}(?:better|stronger|safer|finer|nicer|easier|more \w+|quieter|cheaper|good|simpler)\b{_GAP}{{0,40}}\b(?:than|as)\s+(?:the\s+|a\s+)?{_GAP}{{0,20}}Ⓑ",
    rf"\b(?:nothing|few|none|no(?:ne)? (?:other )?\w+|nobody|no one)\b{_GAP}{{0,20}}\b(?:beats?|tops?|matche?s?|comes? close to|rivals?)\b{_GAP}{{0,20}}Ⓑ",
    rf"\b(?:not|n{_APOS}t)\s+(?:saying|to say|that I|because)\b{_GAP}{{0,30}}(?:avoid|bad|skip|dislike)",
]

ASIDE = [
    r"(?:,|\band|\bbut)\s+not\s+(?:the\s+|a\s+|an\s+)?Ⓑ",
    rf"\b(?:over|rather than|instead of|in place of|ahead of|versus|as opposed to|in preference to|before)\s+(?:the\s+|a\s+|an\s+|going with\s+|buying\s+|using\s+|any\s+|another\s+|getting\s+|paying for\s+)?{_GAP}{{0,14}}Ⓑ",
    rf"\b(?:switch(?:ing|ed)?|mov(?:e|ing|ed)|migrat\w+|chang\w+)\s+(?:away\s+)?from\s+{_GAP}{{0,10}}Ⓑ",
    rf"\b(?:replac(?:e|ing)|swap(?:ping)?|trad(?:e|ing) in)\s+(?:your|the|my)?\s*{_GAP}{{0,10}}Ⓑ",
    rf"Ⓑ{_GAP}{{0,30}}\b(?:is|{_APOS}s|are|was|would be|works?|does)\s+(?:fine|okay|ok|decent|good|perfectly fine|capable|all right|adequate|not bad),?\s+(?:but|though|yet|however)",
    rf"\b(?:better|cheaper|stronger|lighter|quieter|faster|easier|nicer|preferable)\s+(?:than|to)\s+(?:the\s+|a\s+)?{_GAP}{{0,16}}Ⓑ",
    rf"\bbeats?\s+(?:the\s+|out\s+)?{_GAP}{{0,10}}Ⓑ",
]

NEGATIVE = [
    rf"{_NOT}\s+(?:\w+\s+){{0,3}}?{_TAKE}\b(?!\s+(?:wrong|too much|enough)){_GAP}{{0,45}}Ⓑ",
    rf"\b(?:avoid(?:ing)?|skip(?:ping)?|steer(?:ed)? (?:\w+ )?(?:away|clear) (?:from|of)|talk you out of|warn you (?:off|away from)|steer clear of|stay(?:ing)? (?:away|clear) (?:from|of)|keep away from|stay off|pass(?:ing)? on|rule out|leave out|leave|cross off|cross|drop|ditch|forget(?: about)?(?! it)|hold off(?: on)?|wait on|cancel|quit|think (?:twice|hard|carefully)(?: \w+)? (?:about|before)|be (?:wary|careful|cautious) (?:of|about|with)|beware(?: of)?|watch out for|stop using|stop paying for|get rid of|uninstall|warn(?:ed|ing)?{_GAP}{{0,20}}(?:off|against|about)|scratch|shelve|postpone|delay|put off|advise[sd]? against|recommend(?:s|ed)? against|argue against|caution against|vote against|exclude|strike|give{_GAP}{{0,4}}(?:up on)|opt out of|leave behind|walk away from)\b(?! the line){_NEAR}{{0,24}}Ⓑ",
    rf"(?:^|[,:]\s|\band\s|\bthen\s|\bso\s|please\s)(?:don{_APOS}t|do not|never)\s+(?!forget|miss|overlook|worry|hesitate|underestimate|confuse|expect|let|think|wait|assume|mind|stress|mistake|panic|sleep|be\b|dismiss|discount|mix|need|have|leave home|rule|count|write|ignore|skip)(?:\w+\s+){{1,3}}?(?:the\s+|a\s+|an\s+|any\s+|your\s+)?{_NEAR}{{0,12}}Ⓑ",
    rf"\b(?:nobody|no one|few people|you shouldn{_APOS}t|you should not|people shouldn{_APOS}t)\b{_NEAR}{{0,24}}Ⓑ(?!{_GAP}{{0,10}}regret)",
    rf"Ⓑ{_GAP}{{0,50}}\b(?:makes? (?:no|little|zero) sense|has no place|have no place|(?:is|are) more (?:trouble|hassle) than|is no use|won{_APOS}t do|won{_APOS}t help|won{_APOS}t work (?:for|here)|is the wrong|is a step too far|is asking for trouble|is out\b|is too risky|would be wasted|is wasted on|falls short (?:of what|for)|is a false economy|is money down|is not something|are the wrong)",
    rf"\b(?:not sure|not convinced|doubt(?:ful)?|skeptical|sceptical|unconvinced)\b{_GAP}{{0,24}}Ⓑ{_GAP}{{0,40}}\b(?:right|worth|good|best|sense|pays?|need|call|fit|justif|for you)",
    rf"\b(?:strike|leave|keep|take|cross|drop)\s+(?:the\s+)?Ⓑ{_GAP}{{0,12}}\b(?:on the shelf|off|out|in the shop|for (?:others|another))",
    rf"\b(?:no point (?:in|to)|no need (?:for|to (?:buy|get|pay for))|no use for|wouldn{_APOS}t know why|waste (?:of )?(?:money|time) on)\b{_NEAR}{{0,30}}Ⓑ",
    rf"\b(?:give|put|leave|take|cross|scratch|strike|drop|rule)\s+{_GAP}{{0,12}}Ⓑ{_GAP}{{0,24}}\b(?:a miss|a pass|a wide berth|off (?:the|your)|aside|out\b|for later|on hold|on the shelf|last)",
    rf"Ⓑ{_GAP}{{0,70}}\b(?:is|are|was|{_APOS}s|isn{_APOS}t|aren{_APOS}t|wasn{_APOS}t|wouldn{_APOS}t|would|won{_APOS}t|seems?|feels?|looks?)\b{_GAP}{{0,14}}\b(?:not|n{_APOS}t|hardly|never|no)?\s*(?:be\s+)?(?:not (?:recommended|worth|for you|advisable|the (?:one|right|best|place)|a (?:good|great|sensible|smart|wise)|suitable|ideal|right|my|something I)|overkill|a waste|a poor|a bad|a mistake|the wrong|wrong for|out of (?:the question|reach)|a non-?starter|hard to (?:recommend|justify)|difficult to (?:recommend|justify)|best (?:avoided|skipped|left|ruled)|off the (?:list|table)|one to (?:avoid|skip|leave|pass)|to be avoided|a tough sell|a hard (?:pass|sell)|unsuitable|too much (?:machine|software|tool|money|phone|car))",
    rf"Ⓑ{_GAP}{{0,70}}\b(?:isn|aren|wasn|wouldn|won|doesn|don){_APOS}t\s+(?:be\s+)?(?:really\s+|quite\s+|necessarily\s+|exactly\s+)?(?:recommended|worth|for (?:you|everyone|this|a|beginners|small)|advisable|the (?:right|best|one|answer|place|tool|way|smart)|a (?:good|great|sensible|smart|wise|natural|fit|match|bargain)|suitable|ideal|right|my (?:pick|choice)|something I|where I|what I|suit|fit|make sense|justify|pay off|earn|cut it|belong)",
    rf"Ⓑ{_GAP}{{0,60}}\b(?:(?:I{_APOS}d|I would|you should|you can|you could|I|we|we{_APOS}d)\s+(?:\w+\s+)?(?:skip|avoid|pass|leave|drop|steer clear|look elsewhere|rule(?: it)? out|hold off|wait|think twice)|(?:I|we)\s+(?:wouldn{_APOS}t|would not|can{_APOS}t|cannot|don{_APOS}t|do not|couldn{_APOS}t|no longer)\s+(?:\w+\s+)?(?:recommend|suggest|buy|get|pick|choose|book|go|advise|bother|touch))",
    rf"Ⓑ{_GAP}{{0,40}}(?:[:–—-]|\s-\s)\s*(?:\w+\s+)?(?:skip|avoid|pass\b|not (?:recommended|worth|for you|ideal|suitable|a good|the)|don{_APOS}t|steer clear|hold off|overkill|no\b(?! (?:need|doubt|ads|contract|fee|other|frills|subscription)))",
    rf"(?:^|[*#\s])(?:not recommended|not for you|skip(?: (?:it|this|these))?|avoid|pass(?:es)?|(?:what|which|the) (?:one\s+)?(?:I{_APOS}d |to )?(?:skip|avoid)|one to (?:skip|avoid)|don{_APOS}t buy|leave out|worst(?: \w+)?|steer clear|no-?go|ruled out|not worth it|think twice|wrong (?:choice|fit|tool)|poor (?:fit|choice)|bad fit|least \w+|weakest \w+|hold off|cons?ider skipping)\s*[:：–—-]\s*{_GAP}{{0,10}}Ⓑ",
    rf"\b(?:used to|once|previously)\s+(?:\w+\s+)?(?:recommend|suggest|swear by|like)\b{_GAP}{{0,20}}Ⓑ",
    rf"Ⓑ{_GAP}{{0,12}}\bused to be\b",
    rf"(?:❌|✗|❎|👎|🚫|⛔|⚠️?)\s*{_GAP}{{0,3}}Ⓑ",
    rf"Ⓑ{_GAP}{{0,30}}(?:❌|✗|❎|👎|🚫|⛔)",
]

POSITIVE = [
    rf"\b(?:spring for|splurge on|treat yourself to|go ahead (?:with|and)|hire|join|download|subscribe to|reserve|rent|call|visit|open an?|bet on|turn to|rely on|bring|pack|wear|ask for|look for)\s+(?:the\s+|a\s+|an\s+|your\s+)?{_NEAR}{{0,14}}Ⓑ",
    r"Ⓑ,?\s*(?:no contest|hands down|every time|no question|without question|all the way|all day|any day|for sure)",
    rf"\b(?:keep coming back to|you{_APOS}(?:ll|d) love|never let me down|(?:I|we) (?:love|trust|like|adore|swear by|always (?:use|buy|get|book)))\b{_GAP}{{0,20}}Ⓑ",
    rf"Ⓑ{_GAP}{{0,50}}\b(?:makes?|would make)\s+(?:a|an|the)\s+(?:\w+\s+)?(?:wonderful|great|good|lovely|perfect|fine|nice|ideal|excellent|smart|thoughtful|solid|superb|safe|sensible)\b",
    rf"Ⓑ{_GAP}{{0,50}}\b(?:is|are|{_APOS}s)\s+(?:a|an)\s+(?:bargain|steal|gem|no-?brainer|winner|joy|keeper|treat|lifesaver|crowd-?pleaser|workhorse|delight)\b",
    rf"Ⓑ{_GAP}{{0,50}}\b(?:is|are|{_APOS}s)\s+(?:the|a|an)\s+(?:one|ones|\w+)\s+(?:that|which|who)\s+(?:pays off|works|lasts|delivers|wins|fits|makes sense)",
    rf"Ⓑ{_GAP}{{0,60}}\byou{_APOS}(?:ll|d)\s+(?:love|thank|enjoy|be glad|be happy|be pleased|not look back|never look back)",
    rf"\b(?:recommend(?:ed|ing|ation)?s?|suggest(?:ed|ion)?s?|go(?:ing)? (?:with|for|to)|pick|choose|opt for|stick with|get|grab|buy|book|take|try|consider|use|start with|favou?r|prefer|vote (?:is |goes )?(?:for|to)|shortlist|look (?:at|into)|check out|settle on|lean(?:ing)? (?:towards?|to)|point you (?:to|at)|head to|order|reach for|trust|swear by|switch to|upgrade to|move to|sign up (?:for|with)|invest in|test[- ]drive|put{_GAP}{{0,8}}(?:on|in))\s+(?:the\s+|a\s+|an\s+|either\s+|your\s+|one of\s+(?:the\s+)?|both\s+|something like\s+|brands like\s+|products from\s+|from\s+|through\s+|to\s+)?{_GAP}{{0,30}}Ⓑ",
    rf"\b(?:best|top|safest|smartest|favou?rite|ideal|perfect|great|good|solid|excellent|strong(?:est)?|better|easiest|right|obvious|clear|sensible|reliable|first|winning|go-?to)\s+(?:[\w-]+\s+){{0,3}}?(?:pick|choice|option|bet|fit|value|answer|winner|buy|match|overall|recommendation|candidate|alternative|call|starting point|one|place|solution|route)s?\b{_GAP}{{0,40}}(?:is|are|would be|was|include|:|：|remains?|goes to|–|—|-|like|such as|from|{_APOS}s){_GAP}{{0,20}}Ⓑ",
    rf"(?:best|top|winner|pick|recommended|my choice|our choice|verdict|bottom line|short answer|answer|runner-?up|also (?:fine|good|great)|great for|good for|ideal for|buy|get|favou?rite){_GAP}{{0,30}}[:：–—-]\s*{_GAP}{{0,14}}Ⓑ",
    rf"Ⓑ{_GAP}{{0,90}}\b(?:my|our|the|a|an|your|their|reviewers{_APOS}?)\s+(?:[\w-]+\s+){{0,3}}?(?:top|best|first|safe(?:st)?|smart(?:est)?|solid|great|good|excellent|strong|better|ideal|perfect|clear|obvious|sensible|sound|fine|reliable|favou?rite|easy|natural|right|lovely|worthy|worthwhile|winner|standout|decent|popular|safest|easiest)\b(?:[\s-]+[\w-]+){{0,3}}?\s*(?:pick|choice|option|bet|fit|value|answer|winner|buy|match|recommendation|candidate|alternative|call|starting point|one|place|solution|win|tool|route|way|favou?rite|contender|companion)s?\b",
    rf"Ⓑ{_GAP}{{0,80}}\b(?:is|are|{_APOS}s|{_APOS}re|was|would be|remains?|seems?|looks?|makes?|would make)\b{_GAP}{{0,20}}\b(?:(?<!not )(?:best|better|ideal|perfect|excellent|hard to beat|unbeatable|well worth|worth (?:it|a|an|the|every|your|considering|buying|trying|paying|getting|booking|looking|checking)|my pick|my favou?rite|the winner|the one (?:I|to)|what I{_APOS}d|recommended|highly recommended|the answer|the way to go|the safer|the stronger|a no-?brainer|a safe|a great|a good|a solid|a strong|a smart|an easy|the easiest|great for|good for|perfect for|well suited))\b",
    rf"Ⓑ{_GAP}{{0,80}}\b(?:wins|win|comes? out (?:on top|ahead)|takes? (?:the (?:crown|win|top|lead)|first)|gets? my vote|earns? (?:my|a|the)|is worth|are worth|(?:well )?worth (?:it|a|an|the|every|your|considering|buying|trying|paying)|serves? you (?:well|better)|fits? (?:you|your|best|better|the bill)|suits? (?:you|your|best|better)|tops? (?:my|the|our)|stands? out|deserves? a|will (?:do|serve|suit|cover|save)|ticks|can{_APOS}t be beaten|gets the nod|edges (?:it|ahead|out)|makes (?:the most|more|most|perfect|good) sense|makes sense|would be my|is enough for)\b",
    rf"Ⓑ{_GAP}{{0,90}}\b(?:I|we)(?:{_APOS}d| would|{_APOS}ll)?\s+(?:\w+\s+)?(?:recommend|suggest|pick|choose|go with|buy|get|take|book|start with)(?:\s+(?:it|them|this|that|here))?\b",
    rf"Ⓑ{_GAP}{{0,60}}\b(?:is|are|{_APOS}s|remains?|makes?|was)\b{_GAP}{{0,20}}\b(?<!not )(?<!not a )(?:solid|great|good|excellent|strong|decent|reliable|popular|safe|smart|sensible|sound|top|best|better|fine|lovely|worthy)\s+(?:[\w-]+\s+){{0,2}}?(?:alternative|option|pick|choice|bet|fit|value|buy|candidate|contender|companion|starting point)s?\b",
    rf"Ⓑ{_GAP}{{0,60}}\b(?:so|and)\s+(?:that{_APOS}s|it{_APOS}s|I{_APOS}d|start there|go there|get (?:it|one)|buy (?:it|one)|go (?:with|for) (?:it|that))",
    rf"(?:✅|👍|👉|⭐|🌟|🏆|🥇|💯)\s*{_GAP}{{0,20}}Ⓑ",
    rf"\b(?:you{_APOS}ll be|you{_APOS}d be|you are|you{_APOS}re)\s+(?:\w+\s+)?(?:happier|happiest|better off|best off|best served|well served|safest|safe|covered|in good hands)\s+(?:with|in|on|at|using|choosing)\s+(?:a\s+|an\s+|the\s+)?{_GAP}{{0,12}}Ⓑ",
    rf"Ⓑ{_GAP}{{0,40}}\b(?:is|are|was|would be)?(?:{_APOS}s)?\s*(?:still\s+|easily\s+)?(?:the|a|an)\s+(?:[\w-]+\s+){{1,4}}?(?:that\s+)?(?:I|we)(?:{_APOS}d| would|{_APOS}ll| use| trust| keep)\b",
    rf"Ⓑ{_GAP}{{0,60}}\b(?:pays for itself|will get you (?:there|going)|does the (?:job|trick)|is all you need|is plenty|gets it right|won{_APOS}t let you down|never lets you down|earns its|is where I|holds up|punches above|delivers|nails it|has you covered|hits the sweet spot|is money well spent|is the sweet spot|covers (?:everything|all) you need|is the (?:one|way)\b)",
    rf"\b(?:solid|great|good|excellent|popular|reliable|strong|best)\s+(?:picks|choices|options|alternatives|bets|candidates)\b{_GAP}{{0,40}}Ⓑ",
]

PRACTICE = [
    rf"\b(?:if|should|once|when|after|in case)\s+you(?:{_APOS}ve|{_APOS}d|{_APOS}re| do| have)?\s+(?:\w+\s+)?(?:settled?|decided?|chose|chosen|picked|bought|signed|opted|switched|booked|ended up|end up|went|go ahead|settling)\b{_GAP}{{0,20}}Ⓑ",
    rf"\b(?:from|by|of)\s+the\s+(?:\w+\s+)?(?:makers?|creators?|team|people|company|folks|group|studio|developers?)\s+(?:of|behind|at)\s+{_GAP}{{0,6}}Ⓑ",
    rf"\b(?:owned|made|run|operated|acquired|bought|built|developed|published|distributed)\s+by\s+{_GAP}{{0,8}}Ⓑ",
    rf"Ⓑ(?:{_APOS}s)?(?:\s[A-Z]\w+)?\s(?:users|owners|customers|fans|subscribers|members)\W*$",
    rf"\b(?:already|currently|still)\s+(?:own|have|use|using|pay|paying|subscribe|got|run|on|with|in)\b{_GAP}{{0,30}}Ⓑ",
    rf"\b(?:whether|if)\s+(?:to\s+|you\s+should\s+|it{_APOS}s worth\s+)(?:buy|get|choose|pick|use|book|switch|try)?{_GAP}{{0,30}}Ⓑ",
    rf"\b(?:launch|log in(?:to)?|sign in(?:to)?|click|tap|export|import|connect|install|update|reset|restart)\b{_GAP}{{0,24}}Ⓑ",
    rf"^{_GAP}{{0,20}}(?:never|don{_APOS}t|do not)\s+(?:skip|forget|ignore|miss){_GAP}{{1,60}},?\s+(?:even|also)?\s*(?:on|with|for|in)\s+(?:a|an|the)?\s*Ⓑ",
]

BALANCE = [
    rf"\b(?:opinions?|reviews?|views?|users|listeners|people|critics)\b{_GAP}{{0,40}}\b(?:split|divided|mixed|vary|differ|disagree)",
    r"\b(?:up to you|your call|depends on|matter of taste|a toss-?up|comes down to|either (?:one )?(?:works|is fine)|personal preference|your decision|no clear winner|equally (?:good|matched))\b",
]

_NO = rf"(?:n{_APOS}t|not|never|no|nothing|none|neither|nowhere|unable to|failed to|without)"
_SOURCE = (
    r"(?:sources?|results?|articles?|documents?|files?|reviews?|search(?:es)?|lists?|transcripts?|reports?|pages?|guides?|notes|databases?|texts?|study|studies|tables?|excerpts?|"
    r"materials?|threads?|posts?|data|index|chapters?|round-?ups?|papers?|surveys?|datasets?|knowledge|context|snippets?|links?|rankings?|reviewers|citations|brochures?|catalog(?:ue)?s?|handbooks?)"
)
_TELL = r"(?:mention|cover|includ|list|nam|contain|say|said|referenc|discuss|featur|return|show|have|had|has|address|talk|bring up|cite|describ)\w*"
_FACT = r"(?:anything|any\b|information|info\b|data\b|results?|details?|mentions?|references?|records?|entries|entry|coverage|reviews?|evidence|trace|match(?:es)?|hits?|sources?|specifics|figures)"
ABSENT = [
    rf"\b(?:nothing|no (?:\w+\s+)?(?:results?|information|info|data|mentions?|coverage|details?|sources?|entries|record|reviews?|matches|hits|trace))\s+(?:on|about|for|of|regarding|concerning|related to|naming|covering|mentioning)\s+{_GAP}{{0,20}}Ⓑ",
    rf"\b(?:I|we)\b{_GAP}{{0,16}}{_NO}\b{_GAP}{{0,20}}\b(?:find|found|locate|see|have|has|able|come across|aware|familiar|know|turn up|spot|offer|provide|give)\b{_GAP}{{0,24}}\b{_FACT}{_GAP}{{0,40}}Ⓑ",
    rf"\b(?:I|we)\b{_GAP}{{0,16}}{_NO}\b{_GAP}{{0,10}}\b(?:find|found|locate|see|familiar with|aware of|heard of|know of|know)\s+(?:the\s+|a\s+)?Ⓑ(?!{_GAP}{{0,20}}(?:worth|useful|better|cheaper))",
    rf"\b{_SOURCE}\b{_GAP}{{0,40}}{_NO}\b{_GAP}{{0,24}}\b{_TELL}{_GAP}{{0,30}}Ⓑ",
    rf"\b(?:your|the|this|that|these|my|our)\s+(?:\w+\s+){{0,2}}?\w+\s+(?:doesn{_APOS}t|does not|don{_APOS}t|do not|didn{_APOS}t|did not|never|fails? to)\s+(?:\w+\s+)?(?:mention|list|name|reference|discuss|refer to|bring up)s?\s+(?:the\s+)?Ⓑ",
    rf"\b(?:none|neither|not one|no one) of\b{_GAP}{{0,40}}\b{_TELL}{_GAP}{{0,20}}Ⓑ",
    rf"\bno\s+(?:\w+\s+)?{_SOURCE}\b{_GAP}{{0,30}}\b{_TELL}{_GAP}{{0,20}}Ⓑ",
    rf"Ⓑ{_GAP}{{0,30}}\b(?:isn{_APOS}t|is not|wasn{_APOS}t|was not|aren{_APOS}t|are not|weren{_APOS}t|were not|(?:has|have)(?:n{_APOS}t| not) been|is never|was never|is nowhere|not|never)\s+(?:\w+\s+)?(?:mentioned|covered|listed|included|found|discussed|named|featured|referenced|cited|represented|indexed)\b",
    rf"Ⓑ{_GAP}{{0,30}}\b(?:doesn{_APOS}t|does not|didn{_APOS}t|did not|never)\s+(?:\w+\s+)?(?:appear|show up|come up|turn up|feature|figure)\b",
    rf"Ⓑ{_GAP}{{0,20}}\b(?:returned|yielded|produced|gave|turned up|brought up)\s+(?:no|zero|nothing)\b",
    rf"Ⓑ{_GAP}{{0,10}}[:：–—-]\s*(?:no|not|nothing|none|n/?a|zero)\b{_GAP}{{0,20}}(?:results?|found|data|information|mention(?:ed|s)?|listed|available|returned|records?|entry|matches|covered|$)",
    rf"Ⓑ{_GAP}{{0,20}}\b(?:is|was|are|were)\s+(?:absent|missing)\b{_GAP}{{0,10}}\bfrom\b",
    rf"\b(?:lack|absence)\s+of\s+{_GAP}{{0,20}}(?:information|data|coverage|mentions?|results){_GAP}{{0,20}}Ⓑ|\black\s+(?:\w+\s+)?(?:information|data|details?)\s+(?:on|about){_GAP}{{0,10}}Ⓑ",
]

NEGATION = re.compile(
    rf"n{_APOS}t\b|\b(?:no|not|none|nothing|nowhere|never|neither|unable|without|lack|absen\w+|missing|zero|n/?a|fail\w*|cannot)\b", re.I
)
PRONOUN = re.compile(
    r"\b(?<!about )(?:it|them|(?:this|that) one(?=\s*(?:$|[.,;]|is\b|for\b|if\b))|this brand|the brand|this model)\b(?! all\b| comes| depends)",
    re.IGNORECASE,
)

_LINK = r"^\W*(?:(?:so|but|and|still|yet|overall|honestly|personally|in short|for (?:you|that|this)|that said|even so|however|then|in the end|all in all|therefore|which is why|frankly|for now),?\s+)*"
_OPEN = r"(?=\s*(?:$|it\b|this\b|that\b|them\b|one\b|for\b|if\b|unless\b|until\b|here\b|now\b|again\b|instead\b|there\b|[.,;!—–-]))"
ZERO_NEGATIVE = [
    rf"{_LINK}(?:I|we|you)(?:{_APOS}d| would|{_APOS}ll| should| can| could)?\s+(?:\w+\s+)?(?:no longer do|don{_APOS}t(?: any\s?more)?|wouldn{_APOS}t|skip|pass|look elsewhere|steer clear|think twice|hold off|avoid|give (?:it|this|that) a (?:miss|pass)|leave (?:it|this|that)|wait){_OPEN}",
    rf"{_LINK}(?:not (?:recommended|worth (?:it|the)|for you|ideal|a good|the right)|skip|avoid|pass|hard pass|overkill|hold off|steer clear|better to (?:skip|wait)|save your money|look elsewhere|best avoided|cancel|think twice|leave){_OPEN}",
    rf"{_LINK}(?:I|we)\s+(?:wouldn{_APOS}t|would not|can{_APOS}t|cannot|don{_APOS}t|do not|couldn{_APOS}t|no longer)\s+(?:\w+\s+)?(?:recommend|suggest|advise|bother|buy|get|book|use|choose|pick){_OPEN}",
]
ZERO_POSITIVE = [
    rf"{_LINK}(?:that|it|this)(?:{_APOS}s| is)\s+(?:by far\s+|probably\s+|still\s+|simply\s+)?(?:the|a|your)\s+(?:\w+est|best|most \w+|least \w+|right|safe|good|great|smart)\s+(?:\w+\s+)?(?:route|way|option|choice|bet|path|solution|pick|move|call|plan|buy|deal|value|approach)\b",
    rf"{_LINK}(?:you{_APOS}(?:ll|d)\s+(?:thank|love|enjoy|not regret|be glad|be happy)|no regrets|can{_APOS}t go wrong|worth every|money well spent|I{_APOS}d (?:\w+\s+){{1,5}}(?:anyway|again|regardless|all the same)|I still (?:would|do))\b",
    rf"\b(?:spring for|splurge on|treat yourself to|go ahead (?:with|and)|hire|join|download|subscribe to|reserve|rent|call|visit|open an?|bet on|turn to|rely on|bring|pack|wear|ask for|look for)\s+(?:the\s+|a\s+|an\s+|your\s+)?{_NEAR}{{0,14}}Ⓑ",
    r"Ⓑ,?\s*(?:no contest|hands down|every time|no question|without question|all the way|all day|any day|for sure)",
    rf"\b(?:keep coming back to|you{_APOS}(?:ll|d) love|never let me down|(?:I|we) (?:love|trust|like|adore|swear by|always (?:use|buy|get|book)))\b{_GAP}{{0,20}}Ⓑ",
    rf"Ⓑ{_GAP}{{0,50}}\b(?:makes?|would make)\s+(?:a|an|the)\s+(?:\w+\s+)?(?:wonderful|great|good|lovely|perfect|fine|nice|ideal|excellent|smart|thoughtful|solid|superb|safe|sensible)\b",
    rf"Ⓑ{_GAP}{{0,50}}\b(?:is|are|{_APOS}s)\s+(?:a|an)\s+(?:bargain|steal|gem|no-?brainer|winner|joy|keeper|treat|lifesaver|crowd-?pleaser|workhorse|delight)\b",
    rf"Ⓑ{_GAP}{{0,50}}\b(?:is|are|{_APOS}s)\s+(?:the|a|an)\s+(?:one|ones|\w+)\s+(?:that|which|who)\s+(?:pays off|works|lasts|delivers|wins|fits|makes sense)",
    rf"Ⓑ{_GAP}{{0,60}}\byou{_APOS}(?:ll|d)\s+(?:love|thank|enjoy|be glad|be happy|be pleased|not look back|never look back)",
    rf"{_LINK}(?:(?:it|that|this|they)(?:{_APOS}s| is| are| would be|{_APOS}re)\s+)?(?:\w+\s+)?(?:my|our|the)\s+(?:[\w-]+\s+)?(?:pick|choice|recommendation|favou?rite|winner|vote)\b",
    rf"{_LINK}(?:highly )?(?:recommended|worth (?:it|a|every|the)|a (?:safe|great|solid|good|strong|sound|fine|sensible) (?:pick|choice|bet|option|buy)|great (?:pick|choice|for)|best (?:pick|choice|for|overall)|easy (?:win|pick|choice)|go for it|start there|go there|sign up|book it|buy (?:it|one|that)|get (?:it|one)|grab (?:it|one))\b",
    rf"{_LINK}(?:I|we)(?:{_APOS}d| would|{_APOS}ll)?\s+(?:still\s+|happily\s+|definitely\s+|gladly\s+|always\s+)?(?:recommend|suggest|pick|choose|buy|get|take|book|use|go (?:with|for)|order|start (?:with|there)){_OPEN}",
    rf"{_LINK}(?:it|that|this|they){_APOS}?(?:s|ll| is| are| would be|d be)?\s+(?:still\s+)?(?:what I{_APOS}d|the one I{_APOS}d|where I{_APOS}d|serve you|do the job|be enough|worth)",
]
CONTRAST = re.compile(
    r"\b(?:but|however|still|yet|though|although|even so|that said|nevertheless|overall|so|in the end|all in all)\b",
    re.IGNORECASE,
)
REJECTION = re.compile(
    rf"\b(?:I (?:disagree|beg to differ|don{_APOS}t (?:agree|share|see it|think so|buy)|wouldn{_APOS}t go that far|think (?:that{_APOS}s|this is|it{_APOS}s) (?:unfair|wrong|overblown))|that{_APOS}s (?:unfair|wrong|overblown|outdated|not (?:fair|true|my))|unfair(?:ly)?|(?:that|this) (?:criticism|complaint|view) (?:is|misses|no longer))",
    re.IGNORECASE,
)
REPORTED = re.compile(
    r"\b(?:some|many|several|certain|most)?\s*(?:reviewers?|critics?|people|users?|forums?|commenters?|blogs?|others?|sites|posts|testers)\b",
    re.IGNORECASE,
)

# A label before a colon that makes what follows a pick: a condition, a wish, or a title such as "best for travel".
PICK_LABEL = re.compile(
    r"(?!.*\bfor\W*$)^\W*(?:if|for|when|on a budget|need|want|prefer|best|top|great|good|ideal|perfect|pick|choice|winner|also|budget|premium|runner|overall|answer|verdict|my|our)\b.{0,120}[:–—-]$",
    re.IGNORECASE,
)
ADVICE = re.compile(
    r"\b(?:recommend|suggest|consider|choose|pick|buy|go (?:with|for)|try|look at|options?|choices?|alternatives?)\b",
    re.IGNORECASE,
)
TAKES = re.compile(
    rf"^\W*(?:\w+,\s+)?(?:I|we)(?:{_APOS}d| would|{_APOS}ll)\s+(?:\w+\s+)?(?:take|pick|go with|get|buy|choose|order|book)\s+the\s+(\w+)",
    re.IGNORECASE,
)
EXAMPLE = re.compile(r"^\(?(?:such as|like|e\.g\.?|for example|for instance|including|namely|say)\b", re.IGNORECASE)
TELLS = re.compile(
    r"\b(?:includes?|including|list of|available at|sold at|carry|stock|retailers|locations?|located|accepts?|supports?)\b",
    re.IGNORECASE,
)

HEADING_NEGATIVE = re.compile(
    rf"\b(?:avoid|skip|not (?:recommended|recommend|worth|for you|ideal|suitable)|steer clear|worst|least recommended|less recommended|not worth|out of the running|don{_APOS}t (?:buy|bother)|pass on|think twice|rule(?:d)? out|caution|stay away|leave out|not a (?:good )?fit|wouldn{_APOS}t)\b|❌|👎|🚫|⛔",
    re.IGNORECASE,
)
HEADING_POSITIVE = re.compile(
    r"\b(?:best|top|picks?|recommend(?:ed|ations?)?|my choice|our choice|winner|favou?rites?|worth|shortlist|options|great|choices?|alternatives?|good fit|go with|buy|verdict|strongest|solid)\b|✅|👍|🏆",
    re.IGNORECASE,
)
