"""Short forms that carry a full stop, by what may follow them, and words that open sentences.

Belongs here: words only, casefolded and without the last full stop. Stays out: the rules that use
them (``rules.py``). A form stands in the class that costs least when it is wrong: a missed end
makes one sentence too long, a false end breaks a name or a citation in two.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TITLES = _words(
    "mr mrs ms mx dr drs prof profs rev fr hon gen col lt capt cpt cmdr cdr sgt maj adm brig sen rep gov"
    " pres supt det insp cpl pfc amb messrs mme mmes mlle mlles mgr msgr ste shri smt sri kum sau adv er"
    " ar ld dra sra srta sres hr dott sig sigra dipl lic dña exmo ilmo gebr sr.a डॉ श्री श्रीमती प्रो ft"
    " mt"
)
"""Before a name: the sentence goes on."""

NEVER_LAST = _words(
    "e.g eg i.e viz cf vs v approx ca incl inkl zzgl esp z.b d.h u.a o.ä bzw vgl sog ggf evtl p.ex p.ej"
    " resp rs vol.no w.e.f w.r.t r/w s/o d/o w/o c/o supra infra"
)
"""Whatever follows, the sentence goes on: something must come after them."""

REFERENCES = _words(
    "art arts sec secs sect cl cls no nos fig figs vol vols ch chs chap chaps para paras par p pp pg pgs"
    " eq eqs eqn ex exh app appx sched sch reg regs r rr ord pt pts div tab tbl thm lem prop cor def defn"
    " ed eds n nn fn ln ll l s ss sub subs subd amdt tit bk bks nr num nº nro pos abs ver rev ser gen rom"
    " gal eph heb cir c ques ref refs st stat annex encl col cols n° §§ lfd"
)
"""Before a number, a letter in brackets or a section sign they name a place; else they are words."""

ALSO_WORDS = _words("no app tab art ref lib gen pos col def reg ex cap pop bus")
"""References that are common words too: ``A`` and ``I`` after them open a sentence."""

CONTINUED = _words(
    "inc ltd co cos corp pvt plc bros jr sr esq ph.d m.d b.a m.a b.sc m.sc b.tech m.tech b.com m.com b.ed"
    " m.phil d.phil ll.b ll.m ll.d j.d u.s u.k u.s.a u.n e.u d.c a.d b.c n.y l.a al op loc seq cit govt"
    " dept univ assn assoc estd bldg ave blvd rd hwy pkwy apt ste mt ft st pt ala ariz ark calif colo conn"
    " del fla ga ill ind kan ky la md mass mich minn miss mo mont neb nev okla ore pa penn tenn tex va vt"
    " wash wis wyo supp ct crim civ proc rptr cong rec pub l.ed bankr mem ann treas exec admin const evid"
    " cas ry mfg petr petrs respt appt dist distt tal comm comp mgmt intl natl dir asst sup super cal f j"
    " r.a h.h m.p m.l.a c.j c.j.i c.p.c cr.p.c i.p.c p.c k.b q.b a.c all s.c s.c.c s.c.r a.i.r w.l.r e.r"
    " fed vet atl appx amend amends arg disc legis harv yale colum stan geo pet subd eff guar fid nat org"
    " orgs auth bd commn indus elec mut sav tr sys tech pac bhd distrib envtl fin hosp inv litig mkt mun"
    " pharm prods prot servs soc socy transp util cnty twp parl hist cert den reh emp labr lit clev chi"
    " regr adjt crl wp slp w.p s.l.p o.a i.a c.a r.f.a l.p.a f.i.r q.c s.c.a k.c d.p.p a.g c.b.i i.t.a.t"
    " m.r l.j l.jj j.j jj c.jj q.e.d so amer haw ins instr conc dis plur opn affd revd rehg cir stat int'l"
    " nat'l gov't dep't ass'n comm'n comm'r univ'y found bur am eng ed eds rep mach jur tel ex.rel commun"
    " trans conf lett phys chem biol acad bull quart symp"
)
"""Names, degrees and citations: the sentence ends here only where a word that opens sentences follows."""

LAST = _words(
    "etc usw ecc misc ibid id a.m p.m am pm hr hrs min mins sec kg gm gms km cm mm oz lb lbs yd yds ft sq"
    " tsp tbsp doz max avg temp tel ext ors anr est"
    " jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun"
)
"""May well be last: the sentence ends here where a capital follows."""

SHORT_FORMS = TITLES | NEVER_LAST | REFERENCES | CONTINUED | LAST
"""All of them."""

CAPITALISED_ONLY = _words(
    "mar jun sep oct dec mon tue wed thu fri sat sun nov jan feb apr jul aug ala ark del ill ind la mass"
    " miss pa va wash co all mo md me pt mt super sup const comp dir hon rep gen col det sig kum gal rom"
    " heb ar er st ft fed pet vet so nat arg stan mich geo org auth fin hist chi res lit emp soc ann util"
    " tr sys tech ins found dis cas am tel mach ed"
)
"""Of the above, those that are common words when written small."""

SHORT_WORDS = _words(
    "a i am an as at be by do go he id if in is it me my no of ok on or so to up us we ye ago all and any"
    " are bad big but buy can car cat cup cut day did die dog due eat end far few fit for fun gas get got"
    " gun guy had has her hey him his hit hot how its job key kid law lay led let lie lol lot low mad man"
    " map may men met mix new nor not now off oil old one our out own pay per pet put ran red rid run sad"
    " sat saw say sea see set she sin sir sit six sky son sum sun tax ten the tie too top try two use van"
    " via war was way wet who why win won yes yet you able also away back been best body book both call"
    " came case city come cost data date days deal does done door down each easy else even ever eyes face"
    " fact fall fast feel file find fine five food form four free from full game gave girl give goes gone"
    " good grow half hand hard have head hear help here high hold home hope hour idea into just keep kind"
    " knew know land last late left less life like line list live long look lost love made mail main make"
    " many meet mind mine miss more most move much must name near need news next nice note once only open"
    " over page paid part past plan play post read real rest ride road role room rule safe said same save"
    " seen self sell send sent show side site size some song soon sort stay step stop such sure take talk"
    " tell test text than that them then they this time told took town tree trip true turn type used user"
    " very view wait walk wall want week well went were what when whom wife will wind wish with word work"
    " year your zero thing"
)
"""Words of up to four letters that a full stop after them does not make short forms."""

OPENERS = _words(
    "a an the this that these those there here he she it we you they i his her its our their my your one"
    " some many most all each every no none both few several another other others such who what when where"
    " why which how whose if while although though because since as after before until unless once whether"
    " in on at by for from with without under over during through between among against despite to of and"
    " but or nor so yet then thus hence therefore however moreover furthermore meanwhile instead also"
    " besides still now today later finally next first second third only even just not never is are was"
    " were do does did can could should would will may might must let please see note use make take have"
    " has had neither nobody everyone everything something nothing someone anyone people thanks thank yes"
    " maybe perhaps according regardless any am i'm i've i'll i'd it's that's there's he's she's we're"
    " we've you're you'll they're don't didn't let's who's what's"
)
"""Words that open a sentence far oftener than they carry on a name."""

PREPOSITIONS = _words("at by on around about before after until till from since in near between during")
"""A sentence may begin with these and a time, and only then come to its subject."""

NOT_INITIALS = _words(
    "vitamin plan part section group type class grade option appendix exhibit hepatitis point phase team"
    " figure table schedule annex war line row column step version block unit area zone category model"
    " series answer choice level set case variable matrix peer node"
    " host player party tag key drive gate room"
)
"""Before a single capital: the capital is a label, not a person's initial."""

TIME_ZONES = _words(
    "est edt cst cdt mst mdt pst pdt gmt utc ist cet cest bst jst monday tuesday wednesday thursday friday"
    " saturday sunday mon tue tues wed thu thurs fri sat sun january february march april may june july"
    " august september october november december eastern central pacific"
)
"""After ``p.m.``: the time goes on."""

NAMES_WITH_MARKS = _words("yahoo jeopardy joomla")
"""Their exclamation mark ends no sentence by itself."""

GERMAN_ORDINAL_BEFORE = _words(
    "der die das dem den des am im vom zum zur ab seit bis und jeden diesem jedem beim ins"
)
GERMAN_MONTHS = _words(
    "januar jänner februar märz april mai juni juli august september oktober november dezember jahrhundert"
)
"""``3. Oktober``: a German ordinal is a number with a full stop."""

ANSWER_MARKS = _words("q a ans ques sol soln ex eg prob note nb ps")
"""At the head of a sentence: what introduces it."""

QUOTING_WORDS = ("说", "道", "问", "說", "問", "と", "って", "という", "の", "등", "라고", "하고")
"""After a closing quotation mark without a blank: the sentence that quotes goes on."""
