"""What English words tell about the people, groups and things they name. Lower case."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MALE_NOUNS = _words(
    "man boy father dad son brother uncle nephew grandfather husband gentleman king prince duke lord sir actor waiter "
    "monk priest pope bishop businessman chairman spokesman congressman policeman fisherman salesman bridegroom "
    "widower"
)
FEMALE_NOUNS = _words(
    "woman girl mother mum mom daughter sister aunt niece grandmother wife lady queen princess duchess actress "
    "waitress nun businesswoman chairwoman spokeswoman congresswoman policewoman bride widow hostess"
)
MALE_TITLES = _words("mr mister sir lord king prince father brother uncle")
FEMALE_TITLES = _words("mrs ms miss madam lady queen princess mother sister aunt")
TITLES = (
    MALE_TITLES
    | FEMALE_TITLES
    | _words("dr professor prof president minister senator judge justice captain colonel general governor commissioner")
)

MALE_NAMES = _words(
    "adam alan albert alex alexander ali andrew anthony antonio arthur ben benjamin bill bob brian carl carlos "
    "charles chris christian christopher daniel dave david dennis donald ed edward elon emmanuel eric ethan francis "
    "frank fred gary george gerald giovanni greg gregory hans harold harry henry ivan jack jacob jake james jan jason "
    "jean jeff jeffrey jim joe john jonathan jose joseph joshua juan julian karl keith ken kenneth kevin larry leo "
    "lewis liam louis luca lucas luis marco mark martin matthew max michael miguel mike mohamed mohammed nathan "
    "nicholas nick noah oliver oscar owen patrick paul pedro peter philip pierre ralph raymond richard rob robert "
    "roger ron ronald roy russell ryan sam samuel scott sean sebastian simon stephen steve steven ted thomas tim "
    "timothy tom tony victor vincent walter wayne will william"
)
FEMALE_NAMES = _words(
    "abigail alice alison amanda amelia amy andrea angela anita ann anna anne annie ashley barbara beth betty brenda "
    "carmen carol caroline catherine charlotte chloe christina christine claire clara cynthia deborah diana diane "
    "donna dorothy elena eleanor elizabeth ella ellen emily emma eva evelyn fatima florence frances grace hannah "
    "heather helen ines irene isabel isabella jane janet jennifer jessica joan joanna judith judy julia julie karen "
    "kate katherine kathleen kelly laura lauren lily linda lisa louise lucy margaret maria marie martha mary megan "
    "melissa mia michelle monica nancy natalie nicole nina olivia pamela patricia rachel rebecca rosa rose ruth "
    "sandra sara sarah sharon sofia sophia sophie stephanie susan teresa theresa ursula valerie vera veronica "
    "victoria virginia wendy zoe"
)

PEOPLE = _words(
    "person individual human child adult baby teenager infant someone somebody anyone anybody everyone everybody "
    "nobody student pupil teacher doctor nurse patient lawyer judge minister president senator mayor citizen resident "
    "consumer customer client guest visitor tourist neighbour neighbor friend colleague employee worker farmer artist "
    "writer author journalist scientist engineer expert victim witness suspect defendant prisoner refugee parent "
    "spouse partner sibling cousin twin hero soldier officer captain director ceo boss leader voter passenger driver "
    "pilot reader speaker player coach singer musician painter thief stranger orphan heir guardian minor subject "
    "official chairperson spokesperson clerk baker cook chef butcher sailor hunter gardener servant master villager "
    "traveller manager inspector investigator programmer analyst accountant architect assistant attorney banker chief "
    "commander consultant coordinator detective editor entrepreneur founder graduate host instructor lecturer "
    "mechanic narrator organiser organizer poet prosecutor researcher scholar secretary supervisor surgeon trainer "
    "treasurer volunteer observer dancer actor comedian novelist pensioner bishop ambassador chancellor"
)
"""Somebody: a "he", a "she" or a singular "they", never an "it"."""

ROLES = _words(
    "developer provider deployer controller processor employer operator supplier owner holder applicant complainant "
    "member user distributor importer manufacturer producer vendor seller buyer contractor auditor regulator licensor "
    "licensee investor participant recipient sender signatory representative respondent claimant creditor debtor "
    "party competitor publisher stakeholder actor agent enemy rival winner candidate insurer lender borrower tenant "
    "landlord"
)
"""Somebody or an organisation."""

COLLECTIVES = _words(
    "company firm business enterprise organisation organization government administration ministry department agency "
    "authority commission committee council board court parliament congress senate assembly institution institute "
    "university school hospital bank union association federation party team crew group staff family couple community "
    "population public police army press team club corporation undertaking body jury household majority minority "
    "generation"
)
"""One thing of many people: "it" or "they"."""

EITHER_NUMBER = _words("data media series species means police staff personnel headquarters sheep fish people crew")

VAGUE = _words(
    "time year month week day hour minute date moment period century decade way example case instance fact lot "
    "addition order accordance basis regard respect purpose view point place part number amount percent kind type "
    "sort manner extent matter course light line relation connection context event result reason sake terms thing "
    "something anything everything one other use lack absence favor favour contrast particular general page "
    "figure table section article paragraph chapter annex recital footnote subsection"
)
"""Words that speak about the discourse or only measure something: seldom what a pronoun stands for."""

DEFINITE = frozenset({"the", "this", "that", "these", "those", "such", "its", "his", "their"})
NOBODY = frozenset({"nobody", "nothing", "none"})

ADDRESS = {
    "he": "m", "him": "m", "his": "m", "himself": "m",
    "she": "f", "her": "f", "hers": "f", "herself": "f",
    "it": "n", "its": "n", "itself": "n",
    "they": "mfn", "them": "mfn", "their": "mfn", "theirs": "mfn", "themselves": "mfn", "themself": "mf",
}  # fmt: skip
"""The third-person pronouns and whom they may stand for: m, f (people) and n (things)."""

PLURAL_PRONOUNS = frozenset({"they", "them", "their", "theirs", "themselves", "themself"})
REFLEXIVES = frozenset({"himself", "herself", "itself", "themselves", "themself"})

ABLE = _words(
    "able unable likely unlikely ready willing unwilling eager free bound due set certain sure about entitled prepared"
)
"""What is "able to" do something is something: with these, an "it" stands for a thing."""

BE = _words("is are was were be been being 's s")
SEEMING = _words(
    "seem seems seemed appear appears appeared follow follows followed happen happens happened remain remains turns "
    "turned"
)
WEATHER = _words("rain rains rained raining snow snows snowed snowing hail hailed thundered drizzled")
JUDGING = _words(
    "make makes made making find finds found finding consider considers considered considering deem deems deemed "
    "think thinks thought believe believes believed keep keeps kept render renders rendered rendering take takes took "
    "taken"
)
SAYING = _words(
    "say says said tell tells told ask asks asked reply replied answer answered shout shouted whisper whispered cry "
    "cried add added explain explained write wrote state stated claim claimed note noted remark remarked"
)
